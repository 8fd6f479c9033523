import { type MyShift, shifts } from '@tocsin/contract/security/shift'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Card, Empty, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { notify } from '#ui/notify.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime, formatTime } from '#ui/time.ts'
import '../duty.css'
import { EquipmentTicks } from './EquipmentTicks.tsx'
import { listShiftActions } from './shift-actions.ts'
import { Swaps } from './Swaps.tsx'

const POLL_MS = 30_000
const LOCATE_MS = 10_000

/** @returns the position of the phone; undefined without a secure context, a sensor or a permission. */
const locate = (): Promise<{ lng: number; lat: number } | undefined> =>
  new Promise((resolve) => {
    if (!('geolocation' in navigator) || !isSecureContext) return resolve(undefined)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lng: coords.longitude, lat: coords.latitude }),
      () => resolve(undefined),
      { enableHighAccuracy: true, timeout: LOCATE_MS },
    )
  })

const useCheckIn = (shift: MyShift, reason: string, present: ReadonlyMap<string, number>) => {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [isLocating, setLocating] = useState(false)
  const { mutate, isPending } = useApiMutation(shifts.checkIn)
  const equipment = [...present].map(([name, count]) => ({ name, present: count }))
  const send = (how: { method: 'QR' | 'HAND' | 'POSITION'; code?: string; lng?: number; lat?: number }) =>
    mutate(
      { body: { id: shift.id, version: shift.version, ...how, equipment, ...(reason && { reason }) } },
      { onSuccess: () => notify.success(t('duty.started')) },
    )
  const start = async () => {
    const code = params.get('code')
    if (code) return send({ method: 'QR', code })
    setLocating(true)
    const position = await locate()
    setLocating(false)
    if (position) send({ method: 'POSITION', ...position })
    else if (reason) send({ method: 'HAND' })
    else notify.warning(t('duty.noPosition'))
  }
  return { start, isLocating, isPending }
}

const StoredEquipment = ({ shift }: { shift: MyShift }) =>
  shift.equipment.map(({ name, required, present }) => <span key={name}>{`${name} ${present}/${required}`}</span>)

const ShiftVerbs = ({ shift }: { shift: MyShift }) => {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [present, setPresent] = useState<ReadonlyMap<string, number>>(
    () => new Map(shift.equipment.map(({ name, present: stored }) => [name, stored])),
  )
  const { start, isLocating, isPending } = useCheckIn(shift, reason.trim(), present)
  const checkOut = useApiMutation(shifts.checkOut)
  // The page is open before the shift begins: the buttons follow the clock of the server.
  const { canStart, isHere, isEarly } = listShiftActions(shift, new Date(useServerTime()))
  const mayHandOver = useHasPermission('security:handover:sign')
  const navigate = useNavigate()
  const end = () => {
    const why = reason.trim()
    checkOut.mutate(
      { body: { id: shift.id, version: shift.version, ...(why && { reason: why }) } },
      { onSuccess: () => notify.success(t('duty.ended')) },
    )
  }
  if (!canStart && !isHere) return <StoredEquipment shift={shift} />
  return (
    <Flex vertical gap="small">
      {canStart ? (
        <EquipmentTicks equipment={shift.equipment} present={present} onChange={setPresent} />
      ) : (
        <StoredEquipment shift={shift} />
      )}
      <Input
        value={reason}
        maxLength={200}
        size="large"
        aria-label={t('duty.reason')}
        placeholder={t(isEarly ? 'duty.earlyReason' : 'duty.reason')}
        onChange={({ target }) => setReason(target.value)}
      />
      {canStart && (
        <Button
          type="primary"
          block
          className="my-shift-main"
          loading={isPending || isLocating}
          onClick={() => void start()}
        >
          {t(isLocating ? 'duty.locating' : 'duty.startShift')}
        </Button>
      )}
      {isHere && (
        <Button
          type="primary"
          block
          className="my-shift-main"
          disabled={isEarly && !reason.trim()}
          loading={checkOut.isPending}
          onClick={end}
        >
          {t('duty.endShift')}
        </Button>
      )}
      {isHere && mayHandOver && (
        <Button block onClick={() => void navigate('/duty/handover')}>
          {t('handover.start')}
        </Button>
      )}
    </Flex>
  )
}

const spanText = ({ fromAt, toAt }: MyShift) => `${formatDateTime(fromAt).slice(5, 16)}–${formatTime(toAt).slice(0, 5)}`

const Current = ({ shift }: { shift: MyShift }) => {
  const { t } = useTranslation()
  return (
    <Card>
      <Flex vertical gap="small">
        <Flex gap="small" align="center" justify="space-between">
          <Typography.Title level={4} style={{ margin: 0 }}>
            {shift.postName}
          </Typography.Title>
          <EnumTag kind="shiftState" value={shift.state} />
        </Flex>
        <span>{`${shift.ownerName} · ${spanText(shift)}`}</span>
        {shift.previousName && <span>{t('duty.fromPrevious', { name: shift.previousName })}</span>}
        <ShiftVerbs shift={shift} />
      </Flex>
    </Card>
  )
}

/** The phone of a guard or operator: the present shift with one button, then the next ones. */
export const MyShiftPage = () => {
  const { t } = useTranslation()
  const query = useQuery({ ...inlineQuery(shifts.mine), refetchInterval: POLL_MS })
  return (
    <div className="my-shift">
      <QueryResult query={query}>
        {(list) => {
          const [current, ...later] = list
          return (
            <Flex vertical gap="middle">
              {current ? (
                <Current key={`${current.id} ${current.version}`} shift={current} />
              ) : (
                <Empty description={t('duty.noShift')} />
              )}
              {later.slice(0, 7).map((shift) => (
                <Alert
                  key={shift.id}
                  type="info"
                  title={t('duty.nextShift', { time: spanText(shift), post: shift.postName })}
                />
              ))}
              <Swaps own={list} />
            </Flex>
          )
        }}
      </QueryResult>
    </div>
  )
}
