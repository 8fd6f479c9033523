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

const headings = { true: 'alarm.relatedOpen', false: 'alarm.relatedEnded' } as const
const empties = { true: 'alarm.noRelatedOpen', false: 'alarm.noRelatedEnded' } as const

type Props = { of: { schoolId: number } | { deviceId: number }; label: string }

/** The alarms of a school or a device: open ones of any age, then those of the last week that ended. */
export const RelatedAlarms = ({ of, label }: Props) => {
  const { t } = useTranslation()
  const subject = Object.entries(of).map(([name, id]) => `${name}=${id}`)
  return [true, false].map((open) => {
    const list = `/warn/record?${subject.join('&')}&open=${open}`
    const heading = t(headings[`${open}`])
    return (
      <section key={String(open)} aria-label={heading}>
        <Typography.Title level={5}>{heading}</Typography.Title>
        <RelatedRows
          source={queryFor(warnRecords.page, { query: { ...of, open, ...RELATED_PAGE } })}
          columns={columns}
          rowKey={({ id }) => id}
          toRow={({ id }) => `${list}&record=${id}`}
          all={{ to: list, label }}
          empty={t(empties[`${open}`])}
        />
      </section>
    )
  })
}
