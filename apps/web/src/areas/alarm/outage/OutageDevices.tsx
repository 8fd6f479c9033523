import { MAX_OUTAGE_DEVICES, type Outage, OutageDevice, outages } from '@tocsin/contract/alarm/outage'
import { silence } from '@tocsin/contract/insight/silence'
import { useQuery } from '@tanstack/react-query'
import { Empty, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { column, tableColumn } from '#ui/column.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

const columns = [
  column(OutageDevice, 'sn', { width: 180 }),
  column(OutageDevice, 'schoolName', { show: (name) => name ?? '–' }),
  column(OutageDevice, 'placeName', { show: (name) => name ?? '–' }),
  column(OutageDevice, 'since', { width: 190 }),
  column(OutageDevice, 'state', { width: 120, tag: 'outageDeviceState' }),
]

const Devices = ({ outage }: { outage: Outage }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayRaise = useHasPermission('warn:record:shelve')
  const { mutate } = useApiMutation(outages.raise, {
    also: [silence.today],
    done: () => notify.success(t('outage.raised')),
  })
  return (
    <Flex vertical gap="small">
      <Typography.Text strong>{t('outage.count', { offline: outage.offline, total: outage.total })}</Typography.Text>
      <ScrollTable<OutageDevice>
        size="small"
        rowKey="deviceId"
        dataSource={outage.devices}
        pagination={outage.devices.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
        columns={[
          ...columns.map((column) => tableColumn<OutageDevice>(column, lang)),
          {
            key: 'actions',
            render: (_, { state, deviceId }) => (
              <RowActions
                items={[
                  mayRaise &&
                    state === 'OFFLINE' && {
                      key: 'raise',
                      label: t('outage.raise'),
                      run: () => mutate({ body: { id: outage.id, deviceIds: [deviceId] } }),
                    },
                ]}
              />
            ),
          },
        ]}
      />
      {outage.total > MAX_OUTAGE_DEVICES && (
        <Typography.Text type="secondary">{t('outage.cut', { n: MAX_OUTAGE_DEVICES })}</Typography.Text>
      )}
    </Flex>
  )
}

/** The devices that one outage stands for; each can get an alarm of its own. */
export const OutageDevices = ({ of }: { of: { outageId: number } | { recordId: number } }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(outages.get, { query: of }))
  return (
    <QueryResult query={query}>
      {(outage) => (outage ? <Devices outage={outage} /> : <Empty description={t('outage.gone')} />)}
    </QueryResult>
  )
}
