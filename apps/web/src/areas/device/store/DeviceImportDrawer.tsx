import { devices } from '@tocsin/contract/device/device'
import { DeviceSheetRow, deviceImports } from '@tocsin/contract/device/device-import'
import { useTranslation } from 'react-i18next'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'

const definition: ImportDefinition = {
  endpoints: deviceImports,
  jobName: 'device-import',
  sheet: DeviceSheetRow,
  key: 'sn',
  list: devices.page,
  useTexts: () => {
    const { t } = useTranslation()
    return {
      title: t('device.importTitle'),
      help: t('device.importHelp'),
      createdHint: t('device.importSecrets'),
    }
  },
}

/** A delivery list from a spreadsheet. */
export const DeviceImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)
