import { DeviceModelRow } from '@tocsin/contract/device/model'
import { column } from '#ui/column.tsx'
import { EnumTags } from '#ui/EnumTags.tsx'

export const modelColumns = [
  column(DeviceModelRow, 'name', { main: true }),
  column(DeviceModelRow, 'vendor'),
  column(DeviceModelRow, 'productKey'),
  column(DeviceModelRow, 'kind', { word: 'deviceKind' }),
  column(DeviceModelRow, 'protocol', { word: 'deviceProtocol', wideOnly: true }),
  column(DeviceModelRow, 'power', { word: 'power' }),
  column(DeviceModelRow, 'alarmCodes', { show: (codes) => <EnumTags kind="alarmCode" values={codes} /> }),
  column(DeviceModelRow, 'heartbeatSec', { figure: true }),
  column(DeviceModelRow, 'offlineAfterSec', { figure: true }),
  column(DeviceModelRow, 'deviceCount', { figure: true }),
]
