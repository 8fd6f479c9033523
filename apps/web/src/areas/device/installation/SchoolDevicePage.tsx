import { connectivities, installationStatuses } from '@tocsin/contract/device/device'
import type { InstallationVerb } from '@tocsin/contract/device/installation'
import { SchoolDeviceQuery, type SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { ScanOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import '../device.css'
import { installationColumns } from './installation-columns.tsx'
import { InstallationVerbDialog, useInstallationVerbs, useMayReplace } from './InstallationVerbDialog.tsx'
import { ReplaceDialog } from './ReplaceDialog.tsx'

const filters = (
  <>
    <Filter of={SchoolDeviceQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={SchoolDeviceQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={SchoolDeviceQuery} name="connectivity">
      <EnumSelect kind="connectivity" values={connectivities} />
    </Filter>
    <Filter of={SchoolDeviceQuery} name="testOverdue">
      <YesNo />
    </Filter>
    <Filter of={SchoolDeviceQuery} name="noRecipient">
      <YesNo />
    </Filter>
    <Filter of={SchoolDeviceQuery} name="silent">
      <YesNo />
    </Filter>
    <Filter of={SchoolDeviceQuery} name="status">
      <EnumSelect kind="installation" values={installationStatuses} />
    </Filter>
  </>
)

/** The installed devices and their proof; the device register is another list. */
export const SchoolDevicePage = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const mayInstall = useHasPermission('device:school-device:install')
  const mayExport = useHasPermission('device:school-device:export')
  const verbsOf = useInstallationVerbs()
  const mayReplace = useMayReplace()
  const [open, setOpen] = useState<{ verb: InstallationVerb; installed: SchoolDeviceRow }>()
  const [replacing, setReplacing] = useState<SchoolDeviceRow>()
  const begin = mayInstall && (
    <Button type="primary" icon={<ScanOutlined />} onClick={() => void navigate('/m/install')}>
      {t('device.installOnSite')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={SchoolDeviceQuery}
        source={(given) => queryFor(schoolDevices.page, { query: given })}
        everyMs={DEVICE_POLL_MS}
        columns={installationColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={begin}
        exporting={(query) => mayExport && <ExportButton calls={installationCalls} query={query} />}
        onOpen={({ id }) => void navigate(`/schoolDevice/detail/${id}`)}
        actions={(installed) => (
          <RowActions
            items={[
              {
                key: 'detail',
                label: t('list.detail'),
                run: () => void navigate(`/schoolDevice/detail/${installed.id}`),
              },
              ...verbsOf(installed).map((verb) => ({
                key: verb,
                label: enumLabel('deviceVerb', verb, lang),
                run: () => setOpen({ verb, installed }),
                danger: verb === 'remove',
              })),
              mayReplace(installed) && {
                key: 'replace',
                label: t('device.replace'),
                run: () => setReplacing(installed),
              },
            ]}
          />
        )}
        empty={{ text: t('device.noInstallations'), next: begin }}
      />
      {replacing && <ReplaceDialog installed={replacing} onClose={() => setReplacing(undefined)} />}
      {open && <InstallationVerbDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
