import type { AnnouncementDetail } from '@tocsin/contract/announcement/announcement'
import { announcementVerbCalls } from '@tocsin/contract/announcement/announcement-calls'
import { announcementRule, type AnnouncementVerb } from '@tocsin/contract/announcement/announcement-machine'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { formatDateTime } from '#ui/time.ts'

/** Verbs that are done through this dialog; revising is the form. */
export type DialogVerb = Exclude<AnnouncementVerb, 'revise'>

type Props = { verb: DialogVerb; row: AnnouncementDetail; people: number | undefined; onClose: () => void }

/** What the verb does to readers. */
const Effect = ({ verb, row, people }: Omit<Props, 'onClose'>) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const isPublishing = verb === 'approve' || verb === 'publish' || verb === 'approveRevision'
  if (isPublishing) {
    const at = verb === 'approve' && row.publishAt && Number(row.publishAt) > now ? row.publishAt : undefined
    const when = at ? t('announcement.at', { at: formatDateTime(at) }) : t('announcement.atOnce')
    return (
      <Typography.Paragraph>
        {t('announcement.approveAsk', { when, people: people ?? row.audience })}{' '}
        {verb === 'approveRevision' && t('announcement.reviseAsk')}
      </Typography.Paragraph>
    )
  }
  return verb === 'withdraw' ? <Typography.Paragraph>{t('announcement.withdrawAsk')}</Typography.Paragraph> : null
}

/** Asks what the verb needs and does it; what the server rejects is said in the dialog. */
export const AnnouncementVerbDialog = ({ verb, row, people, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const of: Endpoint = announcementVerbCalls[verb]
  const { mutateAsync, isPending } = useApiMutation(of, { fieldsInline: true })
  const label = enumLabel('announcementVerb', verb, lang)
  const { asks } = announcementRule(verb)
  const submit = async (values: Record<string, unknown>) => {
    await mutateAsync({ body: { id: row.id, version: row.version, ...values } } as never).then(
      () => {
        notify.success(t('announcement.done', { verb: label }))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={label}
      okText={label}
      okButtonProps={{ danger: verb === 'withdraw', loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Typography.Paragraph strong>{row.revision?.title ?? row.title}</Typography.Paragraph>
      <Effect verb={verb} row={row} people={people} />
      <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
        {asks.includes('reason') && (
          <Field of={announcementVerbCalls.withdraw.body} name="reason">
            <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 8 }} />
          </Field>
        )}
        {asks.includes('publishAt') && (
          <Field of={announcementVerbCalls.schedule.body} name="publishAt" initialValue={row.publishAt}>
            <InstantPicker />
          </Field>
        )}
      </Form>
    </AppModal>
  )
}
