import type { StoredFileInfo } from '@tocsin/contract/files/file'
import {
  OrderNode,
  type OrderSubjectOption,
  orderSubjects,
  type OrderSubjectType,
  type SupervisionOrderDetail,
  SupervisionOrderDraft,
} from '@tocsin/contract/supervise/order'
import { orderVerbCalls, supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { toDraft, toDrafts } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { OrderFields } from './OrderFields.tsx'
import { createOrderSaver } from './save-order.ts'
import { subjectFacts } from './subject/subject-facts.ts'
import './supervise.css'

type Values = Record<string, unknown>

const toBody = (values: Values) => ({
  ...toDraft(SupervisionOrderDraft, values),
  nodes: toDrafts(OrderNode.omit({ doneAt: true }), values['nodes']),
  attachments: toAttachmentDrafts(values['attachments'] as StoredFileInfo[] | undefined),
})

type Props = { order?: SupervisionOrderDetail; subject?: OrderSubjectOption | undefined; initial: Values }

const OrderForm = ({ order, subject, initial }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const [store] = useState(() => createOrderSaver(order && { id: order.id, version: order.version }))
  const isSaved = useRef(false)
  const mayIssue = useHasPermission('supervise:order:issue')
  const create = useApiMutation(supervisionOrders.create, { fieldsInline: true })
  const update = useApiMutation(supervisionOrders.update, { fieldsInline: true })
  const issue = useApiMutation(orderVerbCalls.issue, { fieldsInline: true })
  useUnsavedGuard(() => !isSaved.current && form.isFieldsTouched())
  const save = async (andIssue: boolean) => {
    const values = (await form.validateFields()) as Values
    try {
      const body = toBody(values)
      const calls = {
        create: (draft: object) => create.mutateAsync({ body: draft as never }),
        update: (draft: object) => update.mutateAsync({ body: draft as never }),
        issue: (draft: { id: number; version: number }) => issue.mutateAsync({ body: draft }),
      }
      const id = await store(body, calls, andIssue)
      isSaved.current = true
      notify.success(t(andIssue ? 'list.saved' : 'order.saved'))
      void navigate(`/supervise/detail/${id}`, { replace: true })
    } catch (error) {
      showFieldErrors(form, error, lang)
    }
  }
  const busy = create.isPending || update.isPending || issue.isPending
  return (
    <Form form={form} layout="vertical" initialValues={initial} scrollToFirstError style={{ maxWidth: 720 }}>
      <OrderFields subject={subject} />
      <Flex gap="small" wrap className="order-bar">
        {mayIssue && (
          <Button type="primary" loading={busy} onClick={() => void save(true)}>
            {t('order.issueNow')}
          </Button>
        )}
        <Button {...(!mayIssue && { type: 'primary' })} loading={busy} onClick={() => void save(false)}>
          {t('order.saveDraft')}
        </Button>
        <Button onClick={() => void navigate(-1)}>{t('list.cancel')}</Button>
      </Flex>
    </Form>
  )
}

const toValues = (order: SupervisionOrderDetail): Values => ({
  ...order,
  responsibleDeptId: order.schoolId === null ? order.responsibleDeptId : null,
  attachments: order.attachments.map(({ fileId, name, size, type, url }) => ({ id: fileId, name, size, type, url })),
})

const EditedOrder = ({ id }: { id: number }) => {
  const query = useQuery(inlineQuery(supervisionOrders.get, { query: { id } }))
  return <QueryResult query={query}>{(order) => <OrderForm order={order} initial={toValues(order)} />}</QueryResult>
}

const empty = { kind: 'MANUAL', subjectType: 'NONE', subjectId: null, nodes: [], assistDeptIds: [] }

/** A new order about a subject in sight; one that is not leaves the form empty. */
const SubjectOrder = ({ subjectType, id }: { subjectType: OrderSubjectType; id: number }) => {
  const lang = useLang()
  const query = useQuery(inlineQuery(supervisionOrders.subjects, { query: { subjectType, chosenId: id } }))
  return (
    <QueryResult query={query}>
      {([subject]) => (
        <OrderForm
          subject={subject}
          initial={
            subject
              ? {
                  ...empty,
                  subjectType,
                  subjectId: subject.id,
                  schoolId: subject.schoolId,
                  content: subjectFacts(subjectType, subject, lang),
                }
              : empty
          }
        />
      )}
    </QueryResult>
  )
}

/** A new order, about a subject when the address names one, or a draft to edit. */
export const OrderFormPage = () => {
  const [params] = useSearchParams()
  const id = Number(params.get('id'))
  if (id > 0) return <EditedOrder id={id} />
  const subjectType = orderSubjects.find((type) => type === params.get('subjectType')) ?? 'NONE'
  const subjectId = Number(params.get('subjectId'))
  if (subjectType !== 'NONE' && subjectId > 0) return <SubjectOrder subjectType={subjectType} id={subjectId} />
  return <OrderForm initial={empty} />
}
