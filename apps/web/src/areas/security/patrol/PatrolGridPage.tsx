import { localDay } from '@tocsin/contract/security/hours'
import { type PatrolGrid, patrols, type PatrolScanRow } from '@tocsin/contract/security/patrol'
import { patrolRounds } from '@tocsin/contract/security/patrol-rounds'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { serverNow } from '#api/server-clock.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import '../duty.css'
import { PointCodesDialog } from './PointCodesDialog.tsx'

const POLL_MS = 30_000
const clock = (at: Date) => formatTime(at).slice(0, 5)

const Cell = ({ scan, isMissed }: { scan: PatrolScanRow | undefined; isMissed: boolean }) => {
  const { t } = useTranslation()
  if (!scan) return isMissed ? <ToneTag tone="fault">{t('patrol.missed')}</ToneTag> : <>–</>
  return (
    <Flex vertical gap={2} align="start">
      <ToneTag tone={scan.isOdd ? 'wait' : 'done'}>{t(scan.isOdd ? 'patrol.oddShort' : 'patrol.done')}</ToneTag>
      <span>{`${clock(scan.scannedAt)} ${scan.userName}`}</span>
      {scan.note && <Typography.Text type="secondary">{scan.note}</Typography.Text>}
      {scan.attachments.length > 0 && <AttachmentList attachments={scan.attachments} />}
    </Flex>
  )
}

/** Rounds × points: what was reached when and by whom, and what was missed. */
const Grid = ({ grid: { points, runs, scans } }: { grid: PatrolGrid }) => {
  const { t } = useTranslation()
  if (runs.length === 0) return <Empty description={t('patrol.noRuns')} />
  const find = (runId: number, pointId: number) =>
    scans.find((scan) => scan.runId === runId && scan.pointId === pointId)
  return (
    <div className="duty-scroll">
      <table className="duty-calendar">
        <thead>
          <tr>
            <th scope="col">{t('patrol.point')}</th>
            {runs.map(({ id, round, fromAt, toAt, state }) => (
              <th key={id} scope="col">
                <Flex vertical gap={2} align="start">
                  <span>{t('patrol.round', { n: round })}</span>
                  <Typography.Text type="secondary">{`${clock(fromAt)}–${clock(toAt)}`}</Typography.Text>
                  <EnumTag kind="patrolRunState" value={state} />
                </Flex>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ id, name, placeName, keyPart }) => (
            <tr key={id}>
              <th scope="row">
                <div>{name}</div>
                {placeName && <Typography.Text type="secondary">{placeName}</Typography.Text>}
                {keyPart && <ToneTag tone="busy">{t('patrol.key')}</ToneTag>}
              </th>
              {runs.map((run) => (
                <td key={run.id}>
                  <Cell scan={find(run.id, id)} isMissed={run.state === 'MISSED'} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** One patrol on one day. */
export const PatrolGridPage = () => {
  const { t } = useTranslation()
  const { id } = useParams()
  const [params, setParams] = useSearchParams()
  const [today] = useState(() => localDay(new Date(serverNow())))
  const [printing, setPrinting] = useState(false)
  const mayUpdate = useHasPermission('security:patrol:update')
  const mayExport = useHasPermission('security:patrol:export')
  const day = params.get('day') ?? today
  const plan = useQuery(inlineQuery(patrols.get, { query: { id: Number(id) } }))
  const grid = useQuery({
    ...inlineQuery(patrols.grid, { query: { id: Number(id), day } }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })
  const name = plan.data?.name
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return (
    <Flex vertical gap="middle">
      <Flex gap="small" align="center" wrap>
        <Typography.Title level={4} style={{ margin: 0 }}>
          {plan.data ? `${plan.data.name} · ${plan.data.schoolName}` : ' '}
        </Typography.Title>
        <div style={{ width: 160 }}>
          <DayPicker value={day} onChange={(next) => setParams(next ? { day: next } : {})} />
        </div>
        {mayExport && <ExportButton calls={patrolRounds} query={{ planId: Number(id) }} />}
        {mayUpdate && (
          <>
            <Button onClick={() => setPrinting(true)}>{t('patrol.printCodes')}</Button>
            <Link to={`/duty/patrol/form/${id}`}>{t('list.edit')}</Link>
          </>
        )}
      </Flex>
      <QueryResult query={grid}>{(data) => <Grid grid={data} />}</QueryResult>
      {printing && <PointCodesDialog planId={Number(id)} onClose={() => setPrinting(false)} />}
    </Flex>
  )
}
