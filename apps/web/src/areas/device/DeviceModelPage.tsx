import { DeviceModel, deviceModels } from '@tocsin/contract/device/model'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { read } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { WordTags } from '#ui/WordTags.tsx'

const query = deviceModels.page.query

const columns = [
  column(DeviceModel, 'name', { main: true }),
  column(DeviceModel, 'vendor'),
  column(DeviceModel, 'productKey'),
  column(DeviceModel, 'kind', { word: 'deviceKind' }),
  column(DeviceModel, 'power', { word: 'power' }),
  column(DeviceModel, 'alarmCodes', { show: (codes) => <WordTags kind="alarmCode" values={codes} /> }),
  column(DeviceModel, 'heartbeatSec', { figure: true }),
  column(DeviceModel, 'offlineAfterSec', { figure: true }),
]

export const DeviceModelPage = () => {
  const { t } = useTranslation()
  return (
    <ListPage
      query={query}
      source={(given) => read(deviceModels.page, { query: given })}
      columns={columns}
      rowKey={({ id }) => id}
      filters={
        <Filter of={query} name="keyword">
          <Input allowClear maxLength={64} />
        </Filter>
      }
      empty={{ text: t('device.noModels') }}
    />
  )
}
