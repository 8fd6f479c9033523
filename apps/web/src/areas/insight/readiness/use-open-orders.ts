import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { readiness } from '@tocsin/contract/insight/readiness'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { notify } from '#ui/notify.ts'

/** Opens a maintenance order for each device, one after the other. */
export const useOpenOrders = () => {
  const { t } = useTranslation()
  const { mutateAsync, isPending } = useApiMutation(maintenanceOrders.create, { also: [readiness.get] })
  const openOrders = async (deviceIds: readonly number[]) => {
    let opened = 0
    for (const deviceId of deviceIds) {
      const body = { deviceId, cause: 'READINESS', priority: 'NORMAL', description: null } as const
      // The call itself shows the error of a failed order; the others continue.
      const id = await mutateAsync({ body }).catch(() => undefined)
      if (id !== undefined) opened += 1
    }
    if (opened > 0) notify.success(t('readiness.opened', { n: opened }))
  }
  return { openOrders, isOpening: isPending }
}
