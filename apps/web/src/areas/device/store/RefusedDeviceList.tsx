import { devices, UnknownDevice } from '@tocsin/contract/device/device'
import type { DeviceSecret } from '@tocsin/contract/device/device-verbs'
import { PageQuery } from '@tocsin/contract/page'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import { AdoptDialog } from './AdoptDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'

const columns = [
  column(UnknownDevice, 'sn', { main: true }),
  column(UnknownDevice, 'productKey'),
  column(UnknownDevice, 'ip'),
  column(UnknownDevice, 'reason', { tag: 'strangerReason' }),
  column(UnknownDevice, 'count', { figure: true }),
  column(UnknownDevice, 'firstAt'),
  column(UnknownDevice, 'lastAt'),
]

/** Devices that tried to connect and were rejected; an unknown one becomes a new device in two clicks. */
export const RefusedDeviceList = () => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('device:device:create')
  const [adopting, setAdopting] = useState<UnknownDevice>()
  const [made, setMade] = useState<DeviceSecret>()
  return (
    <>
      <ListPage
        query={PageQuery}
        source={(query) => queryFor(devices.unknown, { query })}
        everyMs={DEVICE_POLL_MS}
        columns={columns}
        rowKey={({ id }) => id}
        actions={(refused) => (
          <RowActions
            items={[
              mayCreate &&
                refused.reason === 'UNKNOWN_SN' && {
                  key: 'adopt',
                  label: t('device.adopt'),
                  run: () => setAdopting(refused),
                },
            ]}
          />
        )}
        empty={{ text: t('device.noStrangers') }}
      />
      {adopting && (
        <AdoptDialog
          refused={adopting}
          onAdopted={(secret) => {
            setAdopting(undefined)
            setMade(secret)
          }}
          onClose={() => setAdopting(undefined)}
        />
      )}
      {made && <SecretDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}
