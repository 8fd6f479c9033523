import { MobileBinding } from '@tocsin/contract/access/sign-in/contact'
import { Button, Form, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'

type Props = {
  /** The owner of the number. */
  name: string
  phone: string
  send: () => Promise<unknown>
  verify: (code: string) => Promise<unknown>
  onClose: () => void
}

/** Sends a code to a number, and asks for the code that its owner reads back. */
export const CodeDialog = ({ name, phone, send, verify, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<{ code: string }>()
  const [isSent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    await work()
      .catch((error: unknown) => showFieldErrors(form, error, lang))
      .finally(() => setBusy(false))
  }
  const sendCode = () =>
    run(async () => {
      await send()
      setSent(true)
    })
  const submit = (code: string) =>
    run(async () => {
      await verify(code)
      notify.success(t('school.numberVerified', { name }))
      onClose()
    })
  return (
    <AppModal
      title={t('school.verifyOf', { name })}
      okText={t(isSent ? 'school.verify' : 'school.sendCode')}
      okButtonProps={{ loading: busy }}
      cancelText={t('list.cancel')}
      onOk={() => (isSent ? form.submit() : void sendCode())}
      onCancel={onClose}
    >
      <Typography.Paragraph>{t(isSent ? 'school.codeSent' : 'school.codeHelp', { phone })}</Typography.Paragraph>
      <Form form={form} layout="vertical" onFinish={({ code }) => void submit(code)}>
        {isSent && (
          <Field of={MobileBinding} name="code">
            <Input maxLength={6} inputMode="numeric" autoComplete="off" autoFocus />
          </Field>
        )}
      </Form>
      {isSent && (
        <Button type="link" disabled={busy} onClick={() => void sendCode()}>
          {t('school.codeAgain')}
        </Button>
      )}
    </AppModal>
  )
}
