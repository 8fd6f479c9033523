import {
  ReportSubscriptionDraft,
  type ReportSubscriptionRow,
  reportSubscriptions,
} from '@tocsin/contract/insight/report'
import { useQuery } from '@tanstack/react-query'
import { Button, Divider, Empty, Flex, Form, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { toDraft } from '#ui/form.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import './report.css'
import { SubjectFields } from './SubjectFields.tsx'

const SubscriptionList = ({ rows }: { rows: readonly ReportSubscriptionRow[] }) => {
  const { t } = useTranslation()
  const remove = useApiMutation(reportSubscriptions.delete)
  if (rows.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('report.noSubscriptions')} />
  return (
    <ul className="report-subscriptions">
      {rows.map(({ id, subjectName, subjectType, kind }) => (
        <li key={id}>
          <span>
            {subjectName} <EnumLabel kind="reportCycle" value={kind} />{' '}
            <Typography.Text type="secondary">
              <EnumLabel kind="reportSubjectType" value={subjectType} />
            </Typography.Text>
          </span>
          <Button
            size="small"
            aria-label={t('report.unsubscribeFrom', { name: subjectName })}
            loading={remove.isPending && remove.variables.query.id === id}
            onClick={() =>
              remove.mutate({ query: { id } }, { onSuccess: () => notify.success(t('report.unsubscribed')) })
            }
          >
            {t('report.unsubscribe')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

const SubscribeForm = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const create = useApiMutation(reportSubscriptions.create, { fieldsInline: true })
  const submit = (values: Record<string, unknown>) =>
    create.mutateAsync({ body: toDraft(ReportSubscriptionDraft, values) }).then(
      () => {
        notify.success(t('report.subscribed'))
        form.resetFields(['subjectId'])
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={{ subjectType: 'SCHOOL', kind: 'MONTH' }}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      <SubjectFields />
      <Button type="primary" htmlType="submit" loading={create.isPending}>
        {t('report.subscribe')}
      </Button>
    </Form>
  )
}

/** The reports that the user gets by mail. */
export const SubscriptionDrawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(reportSubscriptions.mine))
  return (
    <ReadDrawer size="min(560px, 100vw)" title={t('report.subscriptions')} onClose={onClose}>
      <Flex vertical gap="small">
        <Typography.Text type="secondary">{t('report.subscriptionHelp')}</Typography.Text>
        <QueryResult query={query}>{(rows) => <SubscriptionList rows={rows} />}</QueryResult>
        <Divider titlePlacement="start">{t('report.addSubscription')}</Divider>
        <SubscribeForm />
      </Flex>
    </ReadDrawer>
  )
}
