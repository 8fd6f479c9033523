import type { OrderSubjectType } from '@tocsin/contract/supervise/order'
import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { orderMachine } from '@tocsin/contract/supervise/order-machine'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useHasPermission } from '#api/session.ts'

type Props = { subjectType: Exclude<OrderSubjectType, 'NONE'>; subjectId: number }

/** Opens the form of an order about this subject, for those who may write and issue one. */
export const IssueOrderButton = ({ subjectType, subjectId }: Props) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayDraft = useHasPermission(supervisionOrders.create.permission)
  const mayIssue = useHasPermission(orderMachine.issue.permission)
  if (!mayDraft || !mayIssue) return null
  const to = `/supervise/form?subjectType=${subjectType}&subjectId=${subjectId}`
  return <Button onClick={() => void navigate(to)}>{t('order.issueOn')}</Button>
}
