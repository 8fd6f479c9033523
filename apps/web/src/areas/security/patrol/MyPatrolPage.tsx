import { type MyPatrolRun, patrols } from '@tocsin/contract/security/patrol'
import { imageTypes, type StoredFileInfo } from '@tocsin/contract/files/file'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Card, Checkbox, Empty, Flex, Input, Progress, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime, formatTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import '../duty.css'
import { dismissOutcome, useScanOutcome } from './scan-outcome.ts'
import { addScan, useScanQueue, useStoredScans } from './scan-queue.ts'

const POLL_MS = 30_000
const MAX_NOTE = 500
const MAX_PHOTOS = 9

/** What is odd at a point, in words and pictures. */
const OddFields = (props: {
  note: string
  files: readonly StoredFileInfo[]
  onNote: (note: string) => void
  onFiles: (files: readonly StoredFileInfo[]) => void
}) => {
  const { t } = useTranslation()
  return (
    <>
      <Input.TextArea
        value={props.note}
        maxLength={MAX_NOTE}
        autoSize={{ minRows: 2, maxRows: 4 }}
        aria-label={t('patrol.oddNote')}
        placeholder={t('patrol.oddNote')}
        onChange={({ target }) => props.onNote(target.value)}
      />
      <AttachmentInput value={props.files} onChange={props.onFiles} types={imageTypes} count={MAX_PHOTOS} />
    </>
  )
}

/** Types or receives the code of a point; the code of a scanned picture comes with the address. */
const ScanForm = ({ run }: { run: MyPatrolRun }) => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [code, setCode] = useState(() => params.get('code') ?? '')
  const [isOdd, setOdd] = useState(false)
  const [note, setNote] = useState('')
  const [files, setFiles] = useState<readonly StoredFileInfo[]>([])
  const send = () => {
    addScan({
      runId: run.id,
      code: code.trim(),
      isOdd,
      note: isOdd ? note.trim() || null : null,
      ...(isOdd && files.length > 0 && { attachments: files.map(({ id }) => ({ fileId: id })) }),
    })
    setCode('')
    setOdd(false)
    setNote('')
    setFiles([])
    setParams({}, { replace: true })
  }
  return (
    <Flex vertical gap="small">
      <Input
        size="large"
        value={code}
        maxLength={64}
        autoCapitalize="characters"
        autoComplete="off"
        aria-label={t('patrol.code')}
        placeholder={t('patrol.codePlaceholder')}
        onChange={({ target }) => setCode(target.value)}
        onPressEnter={() => code.trim() && send()}
      />
      <Checkbox className="patrol-odd" checked={isOdd} onChange={({ target }) => setOdd(target.checked)}>
        {t('patrol.odd')}
      </Checkbox>
      {isOdd && <OddFields note={note} files={files} onNote={setNote} onFiles={setFiles} />}
      <Button type="primary" block className="my-shift-main" disabled={!code.trim()} onClick={send}>
        {t('patrol.reached')}
      </Button>
    </Flex>
  )
}

const spanText = ({ fromAt, toAt }: MyPatrolRun) => `${formatTime(fromAt).slice(0, 5)}–${formatTime(toAt).slice(0, 5)}`

/** One round: the next point large, then the code, then all points. */
const Round = ({ run }: { run: MyPatrolRun }) => {
  const { t } = useTranslation()
  const unsent = useScanQueue(({ items }) => items).filter(({ runId }) => runId === run.id).length
  const left = run.points.filter(({ scannedAt }) => scannedAt === null)
  const done = run.points.length - left.length
  // A scan on its way most likely belongs to the next point: people walk in order.
  const next = left[unsent]
  return (
    <Card>
      <Flex vertical gap="middle">
        <Flex justify="space-between" align="center" gap="small">
          <span>{`${run.planName} · ${run.schoolName}`}</span>
          <EnumTag kind="patrolRunState" value={run.state} />
        </Flex>
        <Typography.Text type="secondary">
          {t('patrol.roundOf', { n: run.round, of: run.rounds, time: spanText(run) })}
        </Typography.Text>
        {next ? (
          <div>
            <Typography.Text type="secondary">{t('patrol.next')}</Typography.Text>
            <h1 className="patrol-next">{next.name}</h1>
            {next.placeName && <span>{next.placeName}</span>}
          </div>
        ) : (
          <Alert
            type={left.length === 0 ? 'success' : 'info'}
            showIcon
            title={t(left.length === 0 ? 'patrol.complete' : 'patrol.sending')}
          />
        )}
        <Flex align="center" gap="small">
          <b className="patrol-count">{`${done}/${run.points.length}`}</b>
          <Progress
            percent={run.points.length > 0 ? Math.round((done / run.points.length) * 100) : 0}
            showInfo={false}
            aria-label={t('patrol.progress')}
          />
        </Flex>
        {left.length > 0 && <ScanForm run={run} />}
        <ul className="handover-items">
          {run.points.map(({ id, name, scannedAt }) => (
            <li key={id} className="handover-item">
              <ToneTag tone={scannedAt ? 'done' : 'calm'}>{t(scannedAt ? 'patrol.done' : 'patrol.open')}</ToneTag>
              <span>{name}</span>
              {scannedAt && <Typography.Text type="secondary">{formatTime(scannedAt).slice(0, 5)}</Typography.Text>}
            </li>
          ))}
        </ul>
      </Flex>
    </Card>
  )
}

const NoRound = ({ nextAt }: { nextAt: Date | null }) => {
  const { t } = useTranslation()
  return (
    <Empty
      description={nextAt ? t('patrol.nextAt', { time: formatDateTime(nextAt).slice(5, 16) }) : t('patrol.noRound')}
    />
  )
}

/** What the server refused, and what it stored though it counts for no round. */
const ScanOutcome = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const { refused, removed } = useScanOutcome()
  if (refused.length + removed.length === 0) return null
  return (
    <Alert
      type={refused.length > 0 ? 'error' : 'info'}
      showIcon
      role="alert"
      action={
        <Button size="small" onClick={dismissOutcome}>
          {t('patrol.dismiss')}
        </Button>
      }
      title={refused.length > 0 ? t('patrol.refused', { n: refused.length }) : t('patrol.kept')}
      description={
        <ul className="handover-items">
          {refused.map(({ scan: { stepKey, code, note }, reason }) => (
            <li key={stepKey}>{`${code}: ${reason[lang]}${note ? ` (${note})` : ''}`}</li>
          ))}
          {removed.map((name) => (
            <li key={name}>{t('patrol.removedPoint', { name })}</li>
          ))}
        </ul>
      }
    />
  )
}

/** The phone of whoever walks: the round of this hour; scans are stored first and sent when there is a connection. */
export const MyPatrolPage = () => {
  const { t } = useTranslation()
  useStoredScans()
  const query = useQuery({ ...inlineQuery(patrols.mine), refetchInterval: POLL_MS })
  const { items: unsent, isFailing } = useScanQueue()
  const [chosen, choose] = useState<number>()
  return (
    <Flex vertical gap="middle" className="my-shift">
      {unsent.length > 0 && isFailing && (
        <Alert type="warning" showIcon role="status" title={t('patrol.unsent', { n: unsent.length })} />
      )}
      <ScanOutcome />
      <QueryResult query={query}>
        {({ runs, nextAt }) => {
          const open = runs.filter(({ state }) => state !== 'DONE')
          const run = runs.find(({ id }) => id === chosen) ?? open[0] ?? runs[0]
          if (!run) return <NoRound nextAt={nextAt} />
          return (
            <>
              {runs.length > 1 && (
                <Flex gap="small" wrap>
                  {runs.map(({ id, planName, schoolName, round }) => (
                    <Button key={id} type={id === run.id ? 'primary' : 'default'} onClick={() => choose(id)}>
                      {`${planName} · ${schoolName} · ${round}`}
                    </Button>
                  ))}
                </Flex>
              )}
              <Round key={run.id} run={run} />
            </>
          )
        }}
      </QueryResult>
    </Flex>
  )
}
