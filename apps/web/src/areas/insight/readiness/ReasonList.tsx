import { deviceReasons, type ReadinessCode, type SchoolReadinessDetail } from '@tocsin/contract/insight/readiness'
import { lostPointsText, readinessText } from '@tocsin/contract/insight/readiness-labels'
import { Button, Checkbox, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'
import { useLang } from '#texts/i18n.ts'
import { useOpenOrders } from './use-open-orders.ts'

type Mending = { label: string; run: () => void }

/** The action for a reason; undefined without the permission. */
const useMending = (school: SchoolReadinessDetail) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const pathOf = usePathOf()
  const mayTest = useHasPermission('device:test:create')
  const maySchool = useHasPermission('school:school:update')
  const mayUsers = useHasPermission('system:user:list')
  const mayPlace = useHasPermission('school:place:update')
  const mayOrder = useHasPermission('device:maintenance:create')
  const { openOrders } = useOpenOrders()
  const go = (label: string, to: string | undefined): Mending | undefined =>
    to === undefined ? undefined : { label, run: () => void navigate(to) }
  const { schoolId, deviceList } = school
  return (code: ReadinessCode): Mending | undefined => {
    if (code === 'PRESS') return mayTest ? go(t('readiness.scheduleTest'), pathOf('device/test')) : undefined
    if (code === 'STATION') return maySchool ? go(t('readiness.nameStation'), `/school/form?id=${schoolId}`) : undefined
    if (code === 'RECIPIENT')
      return mayUsers ? go(t('readiness.nameRecipient'), `/school/detail/${schoolId}?tab=people`) : undefined
    if (code === 'PLACE')
      return mayPlace ? go(t('readiness.completePlace'), `/school/detail/${schoolId}?tab=places`) : undefined
    if (code === 'SHIFT' || code === 'SHIFT_AHEAD') return go(t('readiness.planShift'), pathOf('security/shift'))
    if (code === 'FIRMWARE') return go(t('readiness.updateFirmware'), pathOf('device/rollout'))
    if (code === 'PROCEDURE') return go(t('readiness.publishPlan'), pathOf('deviceProcedure/index'))
    const open = deviceList.filter(
      ({ orderId, reasons }) => orderId === null && reasons.some((reason) => reason.code === code),
    )
    if (!mayOrder || !deviceReasons.includes(code) || open.length === 0) return undefined
    return { label: t('readiness.openOrder'), run: () => void openOrders(open.map(({ deviceId }) => deviceId)) }
  }
}

type Props = {
  school: SchoolReadinessDetail
  done: ReadonlySet<ReadinessCode>
  onToggle: (code: ReadinessCode) => void
}

/** Each reason with its points, a checkbox for the simulation and the verb that fixes it. */
export const ReasonList = ({ school, done, onToggle }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mendingOf = useMending(school)
  return (
    <section aria-label={t('readiness.reasons')} className="readiness-reasons">
      <Typography.Title level={5}>{t('readiness.reasons')}</Typography.Title>
      <ul>
        {school.reasons.map(({ code, points, devices, value }) => {
          const mending = mendingOf(code)
          return (
            <li key={code}>
              <Checkbox checked={done.has(code)} onChange={() => onToggle(code)}>
                <b className="readiness-points">{lostPointsText(points)}</b> {readinessText(code, value, lang)}
                <Typography.Text type="secondary"> · {t('readiness.ofDevices', { n: devices })}</Typography.Text>
              </Checkbox>
              {mending && (
                <Button size="small" onClick={mending.run}>
                  {mending.label}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
