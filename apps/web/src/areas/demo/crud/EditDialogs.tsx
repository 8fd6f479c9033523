import { DemoItemDraft, DemoItemRow, demoItems } from '@tocsin/contract/demo/item'
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { confirm } from '#ui/confirm.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import type { FormField } from './crud.ts'
import { Fields } from './Fields.tsx'

/** The fields of a draft that the form has. */
const among = (fields: readonly FormField[], values: Record<string, unknown>) => {
  const draft = toDraft(DemoItemDraft, values)
  const names = new Set<string>(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(draft).filter(([name]) => names.has(name)))
}

type AddProps = { fields: readonly FormField[]; onClose: () => void }

/** Adds a row in a dialog. */
export const AddDialog = ({ fields, onClose }: AddProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const create = useApiMutation(demoItems.create, { fieldsInline: true })
  const isDirty = useUnsavedGuard(() => form.isFieldsTouched())
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  const send = async (values: Record<string, unknown>) => {
    // Every form that adds a row has the fields name and kind.
    const body = { status: true, ...among(fields, values) } as Parameters<typeof create.mutateAsync>[0]['body']
    await create.mutateAsync({ body }).then(
      () => {
        notify.success(t('list.created'))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={t('demo.curdNew')}
      okText={t('list.save')}
      confirmLoading={create.isPending}
      mask={{ closable: false }}
      onCancel={() => void leave()}
      onOk={() => form.submit()}
    >
      <Form
        form={form}
        name="demo-add"
        layout="vertical"
        initialValues={{ tags: [], price: 0 }}
        onFinish={(values: Record<string, unknown>) => void send(values)}
      >
        <Fields fields={fields} />
      </Form>
    </AppModal>
  )
}

type EditProps = { row: DemoItemRow; fields: readonly FormField[]; readOnly: boolean; onClose: () => void }

/** Changes a row in a drawer, with a version check. */
export const EditRow = ({ row, fields, readOnly, onClose }: EditProps) => {
  const { t } = useTranslation()
  const update = useApiMutation(demoItems.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    await update.mutateAsync({ body: { ...among(fields, values), id: row.id, version: newer ?? row.version } })
    notify.success(t('list.saved'))
  }
  return (
    <EditDrawer
      title={t('demo.curdEdit', { name: row.name })}
      initialValues={row}
      save={save}
      reading={readAs(DemoItemRow)}
      readOnly={readOnly}
      onClose={onClose}
    >
      <Fields fields={fields} row={row} />
    </EditDrawer>
  )
}
