import { CODE_AGAIN_SEC, contactCalls, EmailBinding, MobileBinding } from '@tocsin/contract/access/sign-in/contact'
import { Button, Flex, Form, Input, Typography } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'

/** Remaining whole seconds of a wait since `start`. */
const useCountdown = () => {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return { left, start: () => setLeft(CODE_AGAIN_SEC) }
}

/** The button that sends a code to the contact in the field before. */
const SendCode = ({ contactType, name }: { contactType: 'MOBILE' | 'EMAIL'; name: 'mobile' | 'email' }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  const { left, start } = useCountdown()
  const send = useApiMutation(contactCalls.sendBindingCode, { fieldsInline: true })
  const press = async () => {
    try {
      await form.validateFields([name])
    } catch {
      return
    }
    const contact = String(form.getFieldValue(name))
    send.mutate(
      { query: { contact, contactType } },
      {
        onSuccess: () => {
          start()
          notify.success(t('profile.codeSent', { contact }))
          form.focusField('code')
        },
        onError: (error) => showFieldErrors(form, error, lang),
      },
    )
  }
  return (
    <Button disabled={left > 0} loading={send.isPending} onClick={() => void press()}>
      {left > 0 ? t('profile.codeWait', { n: left }) : t('profile.codeGet')}
    </Button>
  )
}

type Kind = 'mobile' | 'email'
const kinds = {
  mobile: { contactType: 'MOBILE', of: MobileBinding },
  email: { contactType: 'EMAIL', of: EmailBinding },
} as const

const CodeLine = ({ kind }: { kind: Kind }) => (
  <Flex gap="small" align="start">
    <div style={{ flex: 1 }}>
      <Field of={MobileBinding} name="code">
        <Input maxLength={6} inputMode="numeric" autoComplete="one-time-code" />
      </Field>
    </div>
    <div style={{ paddingBlockStart: 30 }}>
      <SendCode contactType={kinds[kind].contactType} name={kind} />
    </div>
  </Flex>
)

const BindForm = ({ kind, onClose }: { kind: Kind; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  useUnsavedGuard(() => form.isFieldsTouched())
  const mobile = useApiMutation(contactCalls.bindMobile, { fieldsInline: true })
  const email = useApiMutation(contactCalls.bindEmail, { fieldsInline: true })
  const bind = (values: Record<string, unknown>): Promise<unknown> =>
    kind === 'mobile'
      ? mobile.mutateAsync({ body: toDraft(MobileBinding, values) })
      : email.mutateAsync({ body: toDraft(EmailBinding, values) })
  const submit = (values: Record<string, unknown>) =>
    bind(values).then(
      () => {
        notify.success(t('list.saved'))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <Form form={form} name={kind} layout="vertical" onFinish={(values) => void submit(values)}>
      {kind === 'mobile' ? (
        <Field of={MobileBinding} name="mobile">
          <Input autoFocus maxLength={11} inputMode="tel" autoComplete="tel-national" />
        </Field>
      ) : (
        <Field of={EmailBinding} name="email">
          <Input autoFocus maxLength={50} inputMode="email" autoComplete="email" />
        </Field>
      )}
      <CodeLine kind={kind} />
      <Field of={MobileBinding} name="password">
        <Input.Password autoComplete="current-password" />
      </Field>
      <Button block type="primary" htmlType="submit" loading={mobile.isPending || email.isPending}>
        {t('profile.bind')}
      </Button>
    </Form>
  )
}

/** The own number or address with a form to change it. */
export const Contact = ({ kind, value }: { kind: Kind; value: string | null }) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const title = t(kind === 'mobile' ? 'profile.mobile' : 'profile.email')
  return (
    <Flex justify="space-between" align="center" gap="middle" className="profile-line">
      <div>
        <div>{title}</div>
        <Typography.Text type="secondary">{value ?? t('profile.notBound')}</Typography.Text>
      </div>
      <Button aria-label={`${title} ${t('profile.change')}`} onClick={() => setOpen(true)}>
        {t('profile.change')}
      </Button>
      <AppModal open={open} title={title} footer={null} width={420} onCancel={() => setOpen(false)}>
        <BindForm kind={kind} onClose={() => setOpen(false)} />
      </AppModal>
    </Flex>
  )
}
