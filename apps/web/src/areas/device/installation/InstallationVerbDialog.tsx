import { devices } from '@tocsin/contract/device/device'
import { type InstallationVerb, installationRule } from '@tocsin/contract/device/installation'
import type { SchoolDeviceRow } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { confirmChildren } from '../confirm-children.ts'
import { PlaceSelect } from '../PlaceSelect.tsx'

type Subject = Pick<SchoolDeviceRow, 'id' | 'version' | 'sn' | 'placePath' | 'schoolId'>
type Props = { verb: InstallationVerb; installed: Subject; onClose: () => void }

/** Verbs that the user may apply to an installation of this status. */
export const useInstallationVerbs = () => {
  const permissions = useSession(({ permissions: held }) => held)
  return ({ status }: Pick<SchoolDeviceRow, 'status'>): InstallationVerb[] =>
    (['install', 'accept', 'move', 'suspend', 'resume', 'remove'] as const).filter((verb) => {
      const { from, permission } = installationRule(verb)
      return from.includes(status) && permissions.has(permission)
    })
}

/** Replacing needs the permissions to remove a device and to install another. */
export const useMayReplace = () => {
  const verbsOf = useInstallationVerbs()
  const mayInstall = useHasPermission('device:school-device:install')
  return (installed: Pick<SchoolDeviceRow, 'status'>): boolean =>
    mayInstall && installed.status !== 'PLANNED' && verbsOf(installed).includes('remove')
}

/** Asks for the input of a verb and applies it; errors are shown in the dialog. */
export const InstallationVerbDialog = ({ verb, installed, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const of: Endpoint = installationCalls[verb]
  const { mutateAsync, isPending } = useApiMutation(of, { also: [devices.page], fieldsInline: true })
  const label = enumLabel('deviceVerb', verb, lang)
  const submit = async (values: Record<string, unknown>): Promise<void> => {
    // The verb determines the fields of the body, like the fields below.
    await mutateAsync({ body: { id: installed.id, version: installed.version, ...values } } as never).then(
      () => {
        notify.success(t('device.verbDone', { verb: label }))
        onClose()
      },
      async (error: unknown) => {
        if (await confirmChildren(error, t, lang)) return submit({ ...values, withChildren: true })
        showFieldErrors(form, error, lang)
      },
    )
  }
  return (
    <AppModal
      title={t('device.verbOne', { verb: label, sn: installed.sn })}
      okText={label}
      okButtonProps={{ danger: verb === 'remove', loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Typography.Paragraph>{installed.placePath}</Typography.Paragraph>
      {verb === 'accept' && <Typography.Paragraph>{t('device.acceptHelp')}</Typography.Paragraph>}
      {verb === 'move' && <Typography.Paragraph>{t('device.moveHelp')}</Typography.Paragraph>}
      {verb === 'remove' && <Typography.Paragraph>{t('device.removeHelp')}</Typography.Paragraph>}
      <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
        {verb === 'move' && (
          <Field of={installationCalls.move.body} name="placeId">
            <PlaceSelect schoolId={installed.schoolId} />
          </Field>
        )}
        {verb === 'suspend' && (
          <>
            <Field of={installationCalls.suspend.body} name="reason">
              <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2 }} />
            </Field>
            <Field of={installationCalls.suspend.body} name="until" extra={t('device.untilHelp')}>
              <InstantPicker />
            </Field>
          </>
        )}
      </Form>
    </AppModal>
  )
}
