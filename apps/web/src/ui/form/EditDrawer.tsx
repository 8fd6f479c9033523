import { Button, Flex, Form } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { confirm } from '#ui/confirm.ts'
import { ReadOnlyControls } from '#ui/responsive/ReadOnlyControls.tsx'
import type { ReadRemoteRow } from '#ui/edit-conflict/remote-row.ts'
import { ConflictSummary, EditConflictProvider, SaveLabel } from '#ui/edit-conflict/RemoteValue.tsx'
import { useEditConflict } from '#ui/edit-conflict/use-edit-conflict.ts'
import { showFieldErrors } from './field-errors.ts'

type Props = {
  title: ReactNode
  /** Beside the title. */
  extra?: ReactNode
  initialValues: Record<string, unknown>
  /**
   * Sends what was typed; a refusal marks the field it is about and leaves the drawer open.
   * @param newer the version this is about: as it was when the form began, or when somebody else's change was told
   */
  save: (values: Record<string, unknown>, newer?: number) => Promise<unknown>
  /** How a row that somebody else changed meanwhile is laid beside what was typed. */
  reading?: ReadRemoteRow
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
  // As it was first known: read again meanwhile it would hide what somebody else changed.
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
  const isDirty = useUnsavedGuard(() => !readOnly && !pending && form.isFieldsTouched())
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  const Frame = readOnly ? ReadDrawer : AppDrawer
  const fields = (
    <Form
      form={form}
      layout="vertical"
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
