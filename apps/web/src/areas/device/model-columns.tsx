import { DeviceModel } from '@tocsin/contract/device/model'
import { column } from '#ui/column.tsx'
import { EnumTags } from '#ui/EnumTags.tsx'

export const modelColumns = [
  column(DeviceModel, 'name', { main: true }),
  column(DeviceModel, 'vendor'),
  column(DeviceModel, 'productKey'),
  column(DeviceModel, 'kind', { word: 'deviceKind' }),
  column(DeviceModel, 'protocol', { word: 'deviceProtocol', wideOnly: true }),
  column(DeviceModel, 'power', { word: 'power' }),
  column(DeviceModel, 'alarmCodes', { show: (codes) => <EnumTags kind="alarmCode" values={codes} /> }),
  column(DeviceModel, 'heartbeatSec', { figure: true }),
  column(DeviceModel, 'offlineAfterSec', { figure: true }),
]
