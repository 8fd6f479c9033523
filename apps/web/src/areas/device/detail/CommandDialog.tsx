import type { CommandType } from '@tocsin/contract/device/model'
import { Form } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'

type Props<Values> = {
  type: CommandType
  initialValues?: Partial<Values>
  /** Sends the command with the values of the form. */
  send: (values: Values) => Promise<unknown>
  isSending: boolean
  onClose: () => void
  children: ReactNode
}

/** Asks for the parameters of a command; errors stand at their fields. */
export const CommandDialog = <Values extends object>({
  type,
  initialValues,
  send,
  isSending,
  onClose,
  children,
}: Props<Values>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const label = enumLabel('commandType', type, lang)
  return (
    <AppModal
      title={label}
      okText={label}
      okButtonProps={{ loading: isSending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        {...(initialValues && { initialValues })}
        onFinish={(values: Values) =>
          void send(values).then(onClose, (error: unknown) => showFieldErrors(form, error, lang))
        }
      >
        {children}
      </Form>
    </AppModal>
  )
}
