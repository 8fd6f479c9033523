import { Button, Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'

type Props = {
  /** Whose password it is, for whatever fills it in. */
  username: string
  help: string
  action: string
  danger?: boolean
  busy: boolean
  send: (password: string) => Promise<unknown>
}

/** Asks for the own password before something that only its owner may do; a wrong one is said at the field. */
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
