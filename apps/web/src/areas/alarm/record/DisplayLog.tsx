import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#ui/time.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

type Row = RecordDetail['sightings'][number]

const when = (at: Date | null) => (at ? formatDateTime(at) : '–')

/** Which desk displayed and sounded the record, and when: the proof that somebody could know. */
export const DisplayLog = ({ rows }: { rows: readonly Row[] }) => {
  const { t } = useTranslation()
  if (rows.length === 0) return <Typography.Text type="secondary">{t('alarm.noSightings')}</Typography.Text>
  return (
    <ScrollTable<Row>
      size="small"
      rowKey={({ sessionId }) => sessionId}
      pagination={false}
      dataSource={rows}
      columns={[
        { key: 'desk', title: t('alarm.desk'), render: (_, row) => row.userName },
        { key: 'shown', title: t('alarm.shownAt'), render: (_, row) => when(row.displayedAt) },
        { key: 'sounded', title: t('alarm.soundedAt'), render: (_, row) => when(row.soundedAt) },
      ]}
    />
  )
}
