import type { Endpoint } from '@tocsin/contract/endpoint'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import type { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { orderTextIn } from '@tocsin/contract/supervise/order-evidence'
import { orderVerbCalls } from '@tocsin/contract/supervise/order-calls'
import { type OrderVerb, orderRule } from '@tocsin/contract/supervise/order-machine'
import { Checkbox, Form, Input, Rate, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { ResponsibleFields } from './OrderFields.tsx'

type Props = { verb: OrderVerb; order: SupervisionOrderDetail; onClose: () => void }

const TextField = ({ verb, name }: { verb: OrderVerb; name: 'text' | 'reason' }) => (
  // The verb determines the fields of the body.
  <Field of={orderVerbCalls[verb].body as typeof orderVerbCalls.requestExtension.body} name={name}>
    <Input.TextArea maxLength={name === 'reason' ? 500 : 2000} autoSize={{ minRows: 2, maxRows: 8 }} />
  </Field>
)

const Fields = ({ verb, order }: Omit<Props, 'onClose'>) => {
  const { asks } = orderRule(verb)
  const isReport = verb === 'progress' || verb === 'submit'
  return (
    <>
      {asks.includes('responsible') && <ResponsibleFields />}
      {asks.includes('dueAt') && (
        <Field
          of={orderVerbCalls.transfer.body}
          name="dueAt"
          required={order.isPastDue}
          {...(!order.isPastDue && { initialValue: order.dueAt })}
        >
          <InstantPicker />
        </Field>
      )}
      {asks.includes('score') && (
        <Field of={orderVerbCalls.evaluate.body} name="score">
          <Rate />
        </Field>
      )}
      {asks.includes('reason') && <TextField verb={verb} name="reason" />}
      {asks.includes('newDueAt') && (
        <Field of={orderVerbCalls.requestExtension.body} name="newDueAt">
          <InstantPicker />
        </Field>
      )}
      {(asks.includes('text') || verb === 'conclude' || verb === 'evaluate') && <TextField verb={verb} name="text" />}
      {verb === 'progress' && order.nodes.some(({ doneAt }) => doneAt === null) && (
        <Field of={orderVerbCalls.progress.body} name="doneNodes">
          <Checkbox.Group
            options={order.nodes.flatMap(({ name, doneAt }, at) => (doneAt ? [] : [{ value: at, label: name }]))}
          />
        </Field>
      )}
      {isReport && (
        <Field of={orderVerbCalls.submit.body} name="attachments" toSent={toAttachmentDrafts}>
          <AttachmentInput />
        </Field>
      )}
    </>
  )
}

/** Asks for the input of a verb and applies it; errors are shown in the dialog. */
export const OrderVerbDialog = ({ verb, order, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const of: Endpoint = orderVerbCalls[verb]
  const { mutateAsync, isPending } = useApiMutation(of, { fieldsInline: true })
  const label = enumLabel('orderVerb', verb, lang)
  const submit = async ({ attachments, ...values }: Record<string, unknown>) => {
    const files = attachments ? { attachments: toAttachmentDrafts(attachments as StoredFileInfo[]) } : {}
    await mutateAsync({ body: { id: order.id, version: order.version, ...values, ...files } } as never).then(
      (answer: unknown) => {
        notify.success(verb === 'transfer' ? t('order.transferred') : t('order.done', { verb: label }))
        onClose()
        if (verb === 'transfer') void navigate(`/supervise/detail/${String(answer)}`)
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={`${label} · ${order.no}`}
      okText={label}
      okButtonProps={{ danger: verb === 'revoke', loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Typography.Paragraph>{orderTextIn(order, lang).title}</Typography.Paragraph>
      {verb === 'revoke' && <Typography.Paragraph>{t('order.revokeAsk')}</Typography.Paragraph>}
      <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
        <Fields verb={verb} order={order} />
      </Form>
    </AppModal>
  )
}
