import { Button, Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'

type Props = {
  /** The user name, for password managers. */
  username: string
  help: string
  action: string
  danger?: boolean
  busy: boolean
  send: (password: string) => Promise<unknown>
}

/** Asks for the own password before a protected action; a wrong one is shown at the field. */
export const OwnPassword = ({ username, help, action, danger = false, busy, send }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<{ password: string }>()
  return (
    <Form
      form={form}
      layout="vertical"
      onFinish={({ password }) => void send(password).catch((error: unknown) => showFieldErrors(form, error, lang))}
    >
      <Typography.Paragraph>{help}</Typography.Paragraph>
      <input hidden readOnly name="username" autoComplete="username" value={username} />
      <Form.Item
        name="password"
        label={t('profile.ownPassword')}
        rules={[{ required: true, message: t('profile.ownPasswordMissing') }]}
      >
        <Input.Password autoFocus autoComplete="current-password" />
      </Form.Item>
      <Button block danger={danger} type="primary" htmlType="submit" loading={busy}>
        {action}
      </Button>
    </Form>
  )
}
