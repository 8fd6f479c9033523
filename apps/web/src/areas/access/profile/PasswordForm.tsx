import { passwordStrength } from '@tocsin/contract/password-strength'
import { auth, PasswordChange } from '@tocsin/contract/access/auth'
import { Button, Form, Input, Progress, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'

const levels = ['strength0', 'strength1', 'strength2', 'strength3', 'strength4'] as const
const colors = ['#cf1322', '#cf1322', '#d48806', '#389e0d', '#237804']

/** A hint while typing; the server decides whether the password is accepted. */
const Strength = ({ username }: { username: string }) => {
  const { t } = useTranslation()
  const password: string = Form.useWatch('newPassword') ?? ''
  if (password === '') return null
  const level = passwordStrength(password, username)
  const text = t('profile.strength', { level: t(`profile.${levels[level] ?? 'strength0'}`) })
  return (
    <Form.Item>
      <Progress
        percent={level * 25}
        steps={4}
        showInfo={false}
        strokeColor={colors[level] ?? '#cf1322'}
        aria-label={text}
      />{' '}
      <Typography.Text type="secondary">{text}</Typography.Text>
    </Form.Item>
  )
}

const Rules = () => {
  const { t } = useTranslation()
  return (
    <Typography.Paragraph type="secondary">
      {t('profile.rules')}
      <ul>
        <li>{t('profile.ruleLength')}</li>
        <li>{t('profile.ruleCommon')}</li>
        <li>{t('profile.ruleOther')}</li>
      </ul>
    </Typography.Paragraph>
  )
}

const Repeated = () => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const same = async (_: unknown, repeated: string | undefined) => {
    if (!repeated) throw new Error(t('profile.repeatMissing'))
    if (repeated !== form.getFieldValue('newPassword')) throw new Error(t('profile.repeatDiffers'))
  }
  return (
    <Form.Item
      name="repeated"
      label={t('profile.repeated')}
      required
      dependencies={['newPassword']}
      rules={[{ validator: same }]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  )
}

const ChangeForm = ({ username, onChanged }: { username: string; onChanged: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  useUnsavedGuard(() => form.isFieldsTouched())
  const change = useApiMutation(auth.updatePassword, { fieldsInline: true })
  const submit = (values: Record<string, unknown>) =>
    change.mutateAsync({ body: toDraft(PasswordChange, values) }).then(
      () => {
        onChanged()
        notify.success(t('profile.passwordChanged'))
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <Form
      form={form}
      // Makes ids unique beside those of the other tab.
      name="password"
      layout="vertical"
      className="narrow-form"
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      {/* Lets a password manager keep the new password under the right name. */}
      <input hidden readOnly name="username" autoComplete="username" value={username} />
      <Field of={PasswordChange} name="oldPassword">
        <Input.Password autoComplete="current-password" />
      </Field>
      <Field of={PasswordChange} name="newPassword">
        <Input.Password autoComplete="new-password" />
      </Field>
      <Strength username={username} />
      <Repeated />
      <Rules />
      <Button type="primary" htmlType="submit" loading={change.isPending}>
        {t('profile.password')}
      </Button>
    </Form>
  )
}

/** Changes the own password; all other sessions of the account end. The form is reset afterwards. */
export const PasswordForm = ({ username }: { username: string }) => {
  const [turn, setTurn] = useState(0)
  return <ChangeForm key={turn} username={username} onChanged={() => setTurn(turn + 1)} />
}
