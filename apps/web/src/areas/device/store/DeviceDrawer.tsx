import { DeviceDraft, type DeviceRow, DeviceRow as Row } from '@tocsin/contract/device/device'
import { type DeviceSecret, deviceEdits } from '@tocsin/contract/device/device-verbs'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { Field } from '#ui/Field.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { ModelSelect } from '../ModelSelect.tsx'

/** Owner and gateway are edited elsewhere. */
const Edit = DeviceDraft.omit({ sn: true, modelId: true, deptId: true, gatewayId: true })
const New = DeviceDraft.omit({ deptId: true, gatewayId: true })

type Props = {
  device: DeviceRow | undefined
  /** The new device and its secret. */
  onCreated: (made: DeviceSecret) => void
  onClose: () => void
}

/** Registers a device, or changes its register data. */
export const DeviceDrawer = ({ device, onCreated, onClose }: Props) => {
  const { t } = useTranslation()
  const create = useApiMutation(deviceEdits.create, { fieldsInline: true })
  const update = useApiMutation(deviceEdits.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    if (!device) return onCreated(await create.mutateAsync({ body: toDraft(New, values) }))
    await update.mutateAsync({ body: { ...toDraft(Edit, values), id: device.id, version: newer ?? device.version } })
    notify.success(t('list.saved'))
  }
  return (
    <EditDrawer
      title={device ? device.sn : t('device.register')}
      initialValues={device ?? {}}
      save={save}
      reading={readAs(Row)}
      onClose={onClose}
      stays={!device}
    >
      {!device && (
        <>
          <Field of={New} name="sn" extra={t('device.snHelp')}>
            <Input maxLength={40} autoFocus />
          </Field>
          <Field of={New} name="modelId">
            <ModelSelect />
          </Field>
        </>
      )}
      <FormGroup title={t('device.deliveryGroup')} hint={t('device.deliveryGroupHint')}>
        <Field of={Edit} name="batchNo">
          <Input maxLength={32} />
        </Field>
        <Field of={Edit} name="warrantyUntil">
          <DayPicker />
        </Field>
        <Field of={Edit} name="simExpiry">
          <DayPicker />
        </Field>
      </FormGroup>
      <FormGroup title={t('device.numbersGroup')} hint={t('device.numbersGroupHint')} rare={!device}>
        <Field of={Edit} name="imei">
          <Input maxLength={20} />
        </Field>
        <Field of={Edit} name="iccid">
          <Input maxLength={24} />
        </Field>
        <Field of={Edit} name="mac">
          <Input maxLength={17} />
        </Field>
        <Field of={Edit} name="gbCode">
          <Input maxLength={20} />
        </Field>
        <Field of={Edit} name="keywordPackVersion">
          <Input maxLength={32} />
        </Field>
      </FormGroup>
      <Field of={Edit} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </EditDrawer>
  )
}
