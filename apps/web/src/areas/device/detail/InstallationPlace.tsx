import type { SchoolDeviceDetail } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { notify } from '#ui/notify.ts'

const PlacePlan = lazyComponent(async () => (await import('#ui/plan/PlacePlan.tsx')).PlacePlan)
const SchoolPositionMap = lazyComponent(
  async () => (await import('#areas/school/place/PositionPicker.tsx')).SchoolPositionMap,
)

type Position = { lng: number; lat: number }

const PositionEditor = ({ installed, onClose }: { installed: SchoolDeviceDetail; onClose: () => void }) => {
  const { t } = useTranslation()
  const { id, version, schoolId, lng, lat, sn } = installed
  const [at, setAt] = useState<Position | undefined>(lng === null || lat === null ? undefined : { lng, lat })
  const { mutate, isPending } = useApiMutation(installationCalls.update, {
    done: () => {
      notify.success(t('list.saved'))
      onClose()
    },
  })
  return (
    <Flex vertical gap="small" role="group" aria-label={t('map.pick')}>
      <SchoolPositionMap schoolId={schoolId} label={sn} at={at} onMove={setAt} />
      <Flex gap="small" wrap>
        <Button
          type="primary"
          disabled={!at}
          loading={isPending}
          onClick={() => at && mutate({ body: { id, version, ...at } })}
        >
          {t('list.save')}
        </Button>
        {lng !== null && (
          <Button onClick={() => mutate({ body: { id, version, lng: null, lat: null } })}>{t('map.unpick')}</Button>
        )}
        <Button onClick={onClose}>{t('list.cancel')}</Button>
      </Flex>
    </Flex>
  )
}

/** Where a device hangs: its pin on the plan of the floor, and its position on the map, which can be dragged. */
export const InstallationPlace = ({ installed }: { installed: SchoolDeviceDetail }) => {
  const { t } = useTranslation()
  const mayPlan = useHasPermission('school:place:query')
  const mayUpdate = useHasPermission('device:school-device:install')
  const [isOpen, setOpen] = useState(false)
  const { id, placeId, lng, lat, validTo } = installed
  const isCurrent = validTo === null
  return (
    <section aria-label={t('device.where')}>
      <Typography.Title level={5}>{t('device.where')}</Typography.Title>
      <Flex vertical gap="small" align="stretch">
        {mayPlan && isCurrent && <PlacePlan placeId={placeId} deviceId={id} />}
        <Typography.Text type="secondary">
          {lng === null || lat === null ? t('device.positionOfPlace') : `${lng.toFixed(6)}, ${lat.toFixed(6)}`}
        </Typography.Text>
        {isOpen && <PositionEditor installed={installed} onClose={() => setOpen(false)} />}
        {!isOpen && isCurrent && mayUpdate && (
          <Flex>
            <Button onClick={() => setOpen(true)}>{t('map.pick')}</Button>
          </Flex>
        )}
      </Flex>
    </section>
  )
}
