import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { column } from '../column.tsx'
import { RELATED_PAGE, RelatedRows } from './RelatedRows.tsx'

const columns = [
  column(WarnRecordRow, 'no', { main: true }),
  column(WarnRecordRow, 'level', { tag: 'level' }),
  column(WarnRecordRow, 'state', { tag: 'recordState' }),
  column(WarnRecordRow, 'class', { word: 'warnClass' }),
  column(WarnRecordRow, 'placePath'),
  column(WarnRecordRow, 'mode', { tag: 'mode' }),
  column(WarnRecordRow, 'firstAt', { exact: true }),
  column(WarnRecordRow, 'ownerName'),
]

const parts = [
  { open: true, heading: 'alarm.relatedOpen', all: 'alarm.allRelatedOpen', none: 'alarm.noRelatedOpen' },
  { open: false, heading: 'alarm.relatedEnded', all: 'alarm.allRelatedEnded', none: 'alarm.noRelatedEnded' },
] as const

/** The alarms of a school or a device: open ones of any age, then those of the last week that ended. */
export const RelatedAlarms = ({ of }: { of: { schoolId: number } | { deviceId: number } }) => {
  const { t } = useTranslation()
  const subject = Object.entries(of).map(([name, id]) => `${name}=${id}`)
  return parts.map(({ open, heading, all, none }) => {
    const list = `/warn/record?${subject.join('&')}&open=${open}`
    return (
      <section key={heading} aria-label={t(heading)}>
        <Typography.Title level={5}>{t(heading)}</Typography.Title>
        <RelatedRows
          source={queryFor(warnRecords.page, { query: { ...of, open, ...RELATED_PAGE } })}
          columns={columns}
          rowKey={({ id }) => id}
          toRow={({ id }) => `${list}&record=${id}`}
          all={{ to: list, label: t(all) }}
          empty={t(none)}
        />
      </section>
    )
  })
}
