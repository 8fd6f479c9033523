import { deliveries, type DeliveryRow } from '@tocsin/contract/notify/delivery'
import { canApply } from '@tocsin/contract/notify/delivery-machine'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'

/** Whether there is an address: without one a message cannot be resent. */
const hasAddress = ({ reason }: DeliveryRow): boolean => reason !== 'NO_RECIPIENT' && reason !== 'NO_ADDRESS'

export const ResendButton = ({ row }: { row: DeliveryRow }) => {
  const { t } = useTranslation()
  const mayResend = useHasPermission('notify:delivery:resend')
  const resend = useApiMutation(deliveries.resend)
  if (!mayResend || !canApply('resend', row.state) || !hasAddress(row)) return null
  const ask = async () => {
    if (!(await confirm({ title: t('delivery.resendAsk', { name: row.recipientName }), yes: t('delivery.resend') })))
      return
    resend.mutate({ body: { id: row.id } }, { onSuccess: () => notify.success(t('delivery.resent')) })
  }
  return (
    <Button size="small" type="link" loading={resend.isPending} onClick={() => void ask()}>
      {t('delivery.resend')}
    </Button>
  )
}
