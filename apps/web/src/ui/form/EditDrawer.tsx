import { Button, Flex, Form } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { confirm } from '#ui/confirm.ts'
import { ReadOnlyControls } from '#ui/responsive/ReadOnlyControls.tsx'
import { useRevalidateOnLanguage } from '#ui/responsive/use-revalidate-on-language.ts'
import type { ReadRemoteRow } from '#ui/edit-conflict/remote-row.ts'
import { ConflictSummary, EditConflictProvider, SaveLabel } from '#ui/edit-conflict/RemoteValue.tsx'
import { useEditConflict } from '#ui/edit-conflict/use-edit-conflict.ts'
import { showFieldErrors } from './field-errors.ts'
import './form.css'

type Props = {
  title: ReactNode
  /** Beside the title. */
  extra?: ReactNode
  initialValues: Record<string, unknown>
  /**
   * Sends the input; a refusal marks its field and leaves the drawer open.
   * @param newer the version this refers to: that of the initial values, or that of another user's edit once shown
   */
  save: (values: Record<string, unknown>, newer?: number) => Promise<unknown>
  /** How another user's edit is shown beside the input. */
  reading?: ReadRemoteRow
  onClose: () => void
  /** After saving, something else replaces this drawer. */
  stays?: boolean
  readOnly?: boolean
  /** Wider than usual. */
  size?: string
  /** In place of the form until its initial values are loaded. */
  pending?: ReactNode
  children: ReactNode
}

/** A form beside the list it was opened from. The writes inside `save` use `fieldsInline`. */
export const EditDrawer = (props: Props) => {
  const {
    title,
    extra,
    initialValues,
    save,
    reading,
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
  const [begun, setBegun] = useState(pending === undefined ? initialValues : undefined)
  // As first loaded: a refetch would hide another user's edit.
  if (!begun && pending === undefined) setBegun(initialValues)
  const { version, told, refused } = useEditConflict(form, begun ?? initialValues, reading)

  const submit = async (values: Record<string, unknown>) => {
    setBusy(true)
    await save(values, version)
      .then(
        () => !stays && onClose(),
        async (error: unknown) => {
          if (!(await refused(error))) showFieldErrors(form, error, lang)
        },
      )
      .finally(() => setBusy(false))
  }
  useRevalidateOnLanguage(form)
  const isDirty = useUnsavedGuard(() => !readOnly && !pending && form.isFieldsTouched())
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  const Frame = readOnly ? ReadDrawer : AppDrawer
  const fields = (
    <Form
      form={form}
      layout="vertical"
      className="form-grid"
      disabled={readOnly}
      requiredMark={!readOnly}
      initialValues={initialValues}
      scrollToFirstError={{ block: 'center' }}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      {told && <ConflictSummary told={told} form={form} />}
      <EditConflictProvider value={told}>{children}</EditConflictProvider>
    </Form>
  )
  return (
    <Frame
      onClose={() => void leave()}
      size={size}
      title={title}
      extra={extra}
      mask={{ closable: readOnly }}
      footer={
        !readOnly && (
          <Flex gap="small" justify="end">
            <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
            <Button type="primary" disabled={pending !== undefined} loading={busy} onClick={() => form.submit()}>
              <SaveLabel told={told} form={form} />
            </Button>
          </Flex>
        )
      }
    >
      {pending ?? (readOnly ? <ReadOnlyControls>{fields}</ReadOnlyControls> : fields)}
    </Frame>
  )
}
