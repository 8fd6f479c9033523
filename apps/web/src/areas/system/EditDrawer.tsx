import { Button, Flex, Form } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { useUnsaved } from '#shell/unsaved.ts'
import { AppDrawer } from '#ui/above/AppDrawer.tsx'
import { confirm } from '#ui/confirm.ts'
import { markRefusal } from './blame.ts'

type Props = {
  title: ReactNode
  initialValues: Record<string, unknown>
  /** Sends what was typed; a refusal marks the field it is about and leaves the drawer open. */
  save: (values: Record<string, unknown>) => Promise<unknown>
  onClose: () => void
  /** After saving, something else takes this drawer's place. */
  stays?: boolean
  readOnly?: boolean
  /** Wider than usual. */
  size?: string
  /** In place of the form until what it begins with is known. */
  pending?: ReactNode
  children: ReactNode
}

/** A form at the side of the list it came from. The writes inside `save` take `fieldsInline`. */
export const EditDrawer = (props: Props) => {
  const {
    title,
    initialValues,
    save,
    onClose,
    stays,
    readOnly = false,
    pending,
    size = 'min(600px, 100vw)',
    children,
  } = props
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)

  const submit = async (values: Record<string, unknown>) => {
    setBusy(true)
    await save(values)
      .then(
        () => !stays && onClose(),
        (error: unknown) => markRefusal(form, error, lang),
      )
      .finally(() => setBusy(false))
  }
  const isDirty = useUnsaved(() => !readOnly && !pending && form.isFieldsTouched())
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  return (
    <AppDrawer
      onClose={() => void leave()}
      size={size}
      title={title}
      mask={{ closable: readOnly }}
      footer={
        !readOnly && (
          <Flex gap="small" justify="end">
            <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
            <Button type="primary" disabled={pending !== undefined} loading={busy} onClick={() => form.submit()}>
              {t('list.save')}
            </Button>
          </Flex>
        )
      }
    >
      {pending ?? (
        <Form
          form={form}
          layout="vertical"
          disabled={readOnly}
          initialValues={initialValues}
          scrollToFirstError={{ block: 'center' }}
          onFinish={(values: Record<string, unknown>) => void submit(values)}
        >
          {children}
        </Form>
      )}
    </AppDrawer>
  )
}
