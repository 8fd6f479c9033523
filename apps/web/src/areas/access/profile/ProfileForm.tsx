import { auth } from '@tocsin/contract/access/auth'
import { Profile, ProfileEdit, profile as calls } from '@tocsin/contract/access/profile'
import { labelIn } from '@tocsin/contract/field'
import { Button, Form, Input, Radio, Typography } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useApiMutation } from '#api/query.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { ConflictSummary, EditConflictProvider, SaveLabel } from '#ui/edit-conflict/RemoteValue.tsx'
import { useEditConflict } from '#ui/edit-conflict/use-edit-conflict.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'

const { mobile, email, sex } = ProfileEdit.shape
const OwnData = z.strictObject({ mobile, email, sex })

type Props = {
  of: Profile
  /** Contacts that are changed by a code elsewhere, and not typed here. */
  proven: { mobile: boolean; email: boolean }
  onSaved: () => void
}

/** The own data with a version check; a concurrent change by an administrator keeps the typed input. */
export const ProfileForm = ({ of, proven, onSaved }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  useUnsavedGuard(() => form.isFieldsTouched())
  const [begun] = useState(of)
  const { version = begun.version, told, refused, changed } = useEditConflict(form, begun, readAs(Profile))
  const saving = useRef(false)
  const met = useEffectEvent((now: Profile) => {
    if (now.version > version && !saving.current) changed({ of: Profile, version: now.version, values: now })
  })
  useEffect(() => met(of), [of])
  const update = useApiMutation(calls.update, { also: [auth.permissionInfo], fieldsInline: true })
  const submit = async (values: Record<string, unknown>) => {
    saving.current = true
    const { mobile: typedMobile, email: typedEmail, ...rest } = toDraft(OwnData, values)
    const contacts = { ...(!proven.mobile && { mobile: typedMobile }), ...(!proven.email && { email: typedEmail }) }
    await update.mutateAsync({ body: { ...rest, ...contacts, version } }).then(
      () => {
        notify.success(t('list.saved'))
        onSaved()
      },
      async (error: unknown) => {
        saving.current = false
        if (!(await refused(error))) showFieldErrors(form, error, lang)
      },
    )
  }
  return (
    <Form
      form={form}
      name="own"
      layout="vertical"
      className="narrow-form"
      initialValues={of}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      <Form.Item label={labelIn(lang, Profile.shape.nickname)} extra={t('profile.nameFixed')}>
        <Typography.Text>{of.nickname}</Typography.Text>
      </Form.Item>
      {told && <ConflictSummary told={told} form={form} />}
      <EditConflictProvider value={told}>
        {!proven.mobile && (
          <Field of={OwnData} name="mobile">
            <Input maxLength={11} inputMode="tel" autoComplete="tel-national" />
          </Field>
        )}
        {!proven.email && (
          <Field of={OwnData} name="email">
            <Input maxLength={50} inputMode="email" autoComplete="email" />
          </Field>
        )}
        <Field of={OwnData} name="sex">
          <Radio.Group options={enumOptions('sex', ['MALE', 'FEMALE', 'UNKNOWN'], lang)} />
        </Field>
      </EditConflictProvider>
      <Button type="primary" htmlType="submit" loading={update.isPending}>
        <SaveLabel told={told} form={form} />
      </Button>
    </Form>
  )
}
