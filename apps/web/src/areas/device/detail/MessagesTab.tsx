import { DeviceMessageRow } from '@tocsin/contract/device/device'
import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { labelIn } from '@tocsin/contract/field'
import { useQuery } from '@tanstack/react-query'
import { Empty } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'

const { shape } = DeviceMessageRow

const Body = ({ row }: { row: DeviceMessageRow }) => (
  <pre className="message-body">{row.message ? JSON.stringify(row.message, null, 1) : (row.raw ?? '')}</pre>
)

/** The last decoded messages; unparsable ones as bytes, with the reason. */
export const MessagesTab = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useQuery({ ...inlineQuery(deviceEdits.messages, { query: { id } }), refetchInterval: DEVICE_POLL_MS })
  return (
    <QueryResult query={query}>
      {(rows) => (
        <ScrollTable
          size="small"
          rowKey={(row) => `${row.at.getTime()} ${row.channel} ${row.code}`}
          pagination={false}
          dataSource={rows}
          locale={{ emptyText: <Empty description={t('device.noMessages')} /> }}
          columns={[
            { key: 'at', title: labelIn(lang, shape.at), render: (_, { at }) => formatDateTime(at) },
            { key: 'channel', dataIndex: 'channel', title: labelIn(lang, shape.channel) },
            { key: 'code', dataIndex: 'code', title: labelIn(lang, shape.code) },
            { key: 'reason', dataIndex: 'reason', title: labelIn(lang, shape.reason) },
            { key: 'message', title: labelIn(lang, shape.message), render: (_, row) => <Body row={row} /> },
          ]}
        />
      )}
    </QueryResult>
  )
}
