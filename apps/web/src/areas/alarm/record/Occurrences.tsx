import { Occurrence } from '@tocsin/contract/alarm/record'
import { formatLogText } from '@tocsin/contract/alarm/log-text'
import { Flex, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { column, tableColumn } from '#ui/column.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import './occurrences.css'

const Late = () => <Tag color="orange">{useTranslation().t('alarm.late')}</Tag>

/** The decoded text, and unparsable messages as they came. */
const Content = ({ said, raw }: Pick<Occurrence, 'said' | 'raw'>) => {
  const lang = useLang()
  return (
    <>
      {formatLogText(said, lang)}
      {raw !== null && <pre className="occurrence-raw">{raw}</pre>}
    </>
  )
}

const columns = [
  column(Occurrence, 'occurredAt'),
  column(Occurrence, 'receivedAt'),
  column(Occurrence, 'code', { word: 'alarmCode' }),
  column(Occurrence, 'zone'),
  column(Occurrence, 'said', {
    show: (said, { raw }) => <Content said={said} raw={raw} />,
  }),
  column(Occurrence, 'via', {
    title: () => '',
    show: (via, row) => (
      <Flex gap={4}>
        <EnumLabel kind="via" value={via} />
        {row.late && <Late />}
      </Flex>
    ),
  }),
]

const ROWS_A_PAGE = 10

/** The presses and signals of a record. */
export const Occurrences = ({ rows, cut }: { rows: readonly Occurrence[]; cut: boolean }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const result = columns.filter(
    ({ key }) =>
      (key !== 'zone' || rows.some(({ zone }) => zone !== null)) &&
      (key !== 'said' || rows.some(({ said, raw }) => raw !== null || formatLogText(said, lang) !== '')),
  )
  return (
    <>
      <ScrollTable<Occurrence>
        size="small"
        rowKey="id"
        columns={result.map((item) => tableColumn(item, lang))}
        dataSource={rows}
        pagination={{ pageSize: ROWS_A_PAGE, hideOnSinglePage: true, showSizeChanger: false }}
      />
      {cut && <Typography.Text type="secondary">{t('alarm.occurrencesCut')}</Typography.Text>}
    </>
  )
}
