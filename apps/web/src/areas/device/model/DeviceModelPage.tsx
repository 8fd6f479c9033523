import {
  capabilities,
  type commandTypes,
  DeviceModelDraft,
  type DeviceModelRow,
  deviceModels,
  lockedModelFields,
} from '@tocsin/contract/device/model'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { EntityPage } from '#ui/entity/EntityPage.tsx'
import type { EntityColumn } from '#ui/entity/entity-types.ts'
import { BatteryCurveInput } from './BatteryCurveInput.tsx'
import { AbilityFields, AlarmCodeSelect, LockedAlert, OfflineEffect } from './ModelFields.tsx'

const newModel = {
  protocol: 'TOCSIN',
  alarmCodes: [],
  heartbeatSec: 30,
  offlineAfterSec: 90,
  batteryCurve: null,
  capabilities: [],
  commandSchema: [],
}

const columns: readonly EntityColumn<DeviceModelRow>[] = [
  'name',
  'vendor',
  'productKey',
  'kind',
  { name: 'protocol', wideOnly: true },
  'power',
  'alarmCodes',
  'heartbeatSec',
  'offlineAfterSec',
  'deviceCount',
]

/** In the form, capabilities and commands are lists of ticked values. */
const conversion = {
  toForm: (model: DeviceModelRow) => ({
    ...model,
    capabilities: capabilities.filter((name) => model.capabilities[name]),
    commandSchema: Object.keys(model.commandSchema),
  }),
  toDraft: (values: Record<string, unknown>, source: DeviceModelRow | undefined) => {
    const has = values['capabilities'] as readonly string[]
    const types = values['commandSchema'] as (typeof commandTypes)[number][]
    return {
      ...values,
      capabilities: Object.fromEntries(capabilities.map((name) => [name, has.includes(name)])),
      // The payload schema of a manufacturer stays; a new command accepts any object.
      commandSchema: Object.fromEntries(types.map((type) => [type, source?.commandSchema[type] ?? { type: 'object' }])),
    }
  },
}

/** Models of devices; of a model in use the fields that signals depend on are locked. */
export const DeviceModelPage = () => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('device:model:update')
  return (
    <EntityPage
      of={deviceModels}
      draft={DeviceModelDraft}
      nameOf={({ vendor, name }) => `${vendor} ${name}`}
      columns={columns}
      filters={['keyword', 'kind']}
      fields={(model) => {
        const isLocked = (name: string) =>
          (model?.deviceCount ?? 0) > 0 && lockedModelFields.some((locked) => locked === name)
        return [
          {
            group: t('device.modelGroup'),
            hint: t('device.modelGroupHint'),
            fields: [
              'vendor',
              'name',
              { name: 'productKey', disabled: isLocked('productKey') },
              { name: 'kind', disabled: isLocked('kind') },
              { name: 'protocol', disabled: isLocked('protocol') },
            ],
          },
          {
            group: t('device.signals'),
            hint: t('device.signalsHint'),
            fields: [
              {
                name: 'alarmCodes',
                control: <AlarmCodeSelect />,
                help: isLocked('alarmCodes') ? t('device.codesLocked') : undefined,
              },
              'heartbeatSec',
              'offlineAfterSec',
              <OfflineEffect key="effect" />,
            ],
          },
          {
            group: t('device.abilities'),
            hint: t('device.abilitiesHint'),
            fields: [
              'power',
              { name: 'batteryCurve', control: <BatteryCurveInput />, help: t('device.curveHelp') },
              <AbilityFields key="lists" />,
            ],
          },
        ]
      }}
      formTop={(model, onCopy) =>
        model && model.deviceCount > 0 && mayUpdate && <LockedAlert model={model} onCopy={onCopy} />
      }
      formSize="min(720px, 100vw)"
      initial={newModel}
      conversion={conversion}
      copied={({ name }) => ({ productKey: '', name: t('device.copyOf', { name }) })}
      whyKept={({ deviceCount }) => (deviceCount > 0 ? t('device.modelInUse', { n: deviceCount }) : undefined)}
      opensOnClick
    />
  )
}
