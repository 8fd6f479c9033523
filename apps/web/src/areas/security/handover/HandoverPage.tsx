import { HandoverQuery, HandoverRow, handovers } from '@tocsin/contract/security/handover'
import { handoverStates } from '@tocsin/contract/security/handover-machine'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Card, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import '../duty.css'
import { StartHandoverDialog } from './StartHandoverDialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { formatTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

const POLL_MS = 30_000

/** Who sits at which desk now, and until when. */
const SeatStrip = () => {
  const { t } = useTranslation()
  const { data } = useQuery({ ...queryFor(handovers.seats), refetchInterval: POLL_MS })
  if (!data) return null
  return (
    <Card size="small" style={{ marginBlockEnd: 16 }}>
      <Flex gap="middle" wrap align="center">
        <strong>{t('handover.seats')}</strong>
        {data.length === 0 && <Typography.Text type="secondary">{t('handover.noSeats')}</Typography.Text>}
        {data.map(({ shiftId, postName, ownerName, employeeName, checkedInAt, toAt, isOnline }) => (
          <Flex key={shiftId} gap="small" align="center">
            <ToneTag tone={isOnline ? 'done' : 'fault'}>{t(isOnline ? 'handover.online' : 'handover.offline')}</ToneTag>
            <b>{employeeName}</b>
            <span>{`${postName} · ${ownerName}`}</span>
            <Typography.Text type="secondary">
              {`${checkedInAt ? formatTime(checkedInAt).slice(0, 5) : '–'}–${formatTime(toAt).slice(0, 5)}`}
            </Typography.Text>
          </Flex>
        ))}
      </Flex>
    </Card>
  )
}

const columns = [
  column(HandoverRow, 'ownerName', { main: true }),
  column(HandoverRow, 'giverName'),
  column(HandoverRow, 'givenAt'),
  column(HandoverRow, 'takerName'),
  column(HandoverRow, 'takenAt'),
  column(HandoverRow, 'state', { tag: 'handoverState' }),
]

const filters = (
  <>
    <Filter of={HandoverQuery} name="state">
      <EnumSelect kind="handoverState" values={handoverStates} />
    </Filter>
    <Filter of={HandoverQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
  </>
)

/** Handovers, those that wait for a signature first, and who sits at the desks now. */
export const HandoverPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const maySign = useHasPermission('security:handover:sign')
  const mayExport = useHasPermission('security:handover:export')
  const [starting, setStarting] = useState(false)
  const open = (id: number) => void navigate(`/duty/handover/${id}`)
  const start = maySign && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setStarting(true)}>
      {t('handover.start')}
    </Button>
  )
  return (
    <>
      <SeatStrip />
      <ListPage
        query={HandoverQuery}
        source={(query) => queryFor(handovers.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={start}
        onOpen={({ id }) => open(id)}
        exporting={(query) => mayExport && <ExportButton calls={handovers} query={query} />}
        actions={({ id }) => <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => open(id) }]} />}
        empty={{ text: t('handover.none'), next: start }}
      />
      {starting && <StartHandoverDialog onClose={() => setStarting(false)} onStarted={open} />}
    </>
  )
}
