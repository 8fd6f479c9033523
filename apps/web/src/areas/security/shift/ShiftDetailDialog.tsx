import { type ShiftRow, shifts } from '@tocsin/contract/security/shift'
import { whyNotShiftVerb } from '@tocsin/contract/security/shift-machine'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { serverNow } from '#api/server-clock.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

type Props = { shift: ShiftRow; onClose: () => void }

/** Candidates for the shift of an absent person, the most rested first. */
const StandIns = ({ shift, onClose }: Props) => {
  const { t } = useTranslation()
  const { postId, fromAt, toAt } = shift
  const { data } = useQuery(queryFor(shifts.free, { query: { postId, fromAt, toAt } }))
  const { mutate, isPending } = useApiMutation(shifts.standIn)
  if (!data) return null
  return (
    <Flex vertical gap="small">
      <strong>{t('duty.standIn')}</strong>
      {data.length === 0 && <Typography.Text type="secondary">{t('duty.standInNobody')}</Typography.Text>}
      {data.map(({ employeeId, name, restHours }) => (
        <Button
          key={employeeId}
          loading={isPending}
          onClick={() => mutate({ body: { shiftId: shift.id, employeeId } }, { onSuccess: onClose })}
        >
          {restHours === null ? name : `${name} · ${t('duty.rested', { n: restHours })}`}
        </Button>
      ))}
    </Flex>
  )
}

const Verbs = ({ shift, onClose }: Props) => {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const checkIn = useApiMutation(shifts.checkIn)
  const excuse = useApiMutation(shifts.excuse)
  const remove = useApiMutation(shifts.delete)
  const [now] = useState(() => new Date(serverNow()))
  const ref = { id: shift.id, version: shift.version }
  const done = { onSuccess: onClose }
  const canCheckIn = !whyNotShiftVerb('checkIn', shift, now)
  const canExcuse = !whyNotShiftVerb('excuse', shift, now)
  return (
    <Flex vertical gap="small">
      {(canCheckIn || canExcuse) && (
        <Input
          value={reason}
          maxLength={200}
          aria-label={t('duty.reason')}
          placeholder={t('duty.reason')}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <Flex gap="small" wrap>
        {canCheckIn && (
          <Button
            type="primary"
            disabled={!reason.trim()}
            loading={checkIn.isPending}
            onClick={() => checkIn.mutate({ body: { ...ref, method: 'HAND', reason } }, done)}
          >
            {t('duty.checkInByHand')}
          </Button>
        )}
        {canExcuse && (
          <Button
            disabled={!reason.trim()}
            loading={excuse.isPending}
            onClick={() => excuse.mutate({ body: { ...ref, reason } }, done)}
          >
            {t('duty.excuse')}
          </Button>
        )}
        {shift.state === 'PLANNED' && (
          <Button loading={remove.isPending} onClick={() => remove.mutate({ query: { id: shift.id } }, done)}>
            {t('list.delete')}
          </Button>
        )}
      </Flex>
    </Flex>
  )
}

/** One shift of the calendar with the planner's actions. */
export const ShiftDetailDialog = ({ shift, onClose }: Props) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('security:shift:update')
  const mayCreate = useHasPermission('security:shift:create')
  return (
    <AppModal title={t('duty.shiftOf', { name: shift.employeeName })} footer={null} onCancel={onClose}>
      <Flex vertical gap="middle">
        <Flex gap="small" wrap align="center">
          <EnumTag kind="shiftState" value={shift.state} />
          {!shift.publishedAt && <ToneTag tone="wait">{t('duty.unpublished')}</ToneTag>}
          <span>{shift.postName}</span>
          <span>{`${formatDateTime(shift.fromAt).slice(0, 16)} – ${formatDateTime(shift.toAt).slice(0, 16)}`}</span>
        </Flex>
        {shift.equipmentCheck && shift.equipmentCheck.length > 0 && (
          <span>
            {t('duty.equipmentFound', {
              list: shift.equipmentCheck
                .map(({ name, present, required }) => `${name} ${present}/${required}`)
                .join(', '),
            })}
          </span>
        )}
        {shift.absenceReason && <span>{`${t('duty.excuseAsk')}: ${shift.absenceReason}`}</span>}
        {mayUpdate && <Verbs shift={shift} onClose={onClose} />}
        {mayCreate && shift.state === 'ABSENT' && <StandIns shift={shift} onClose={onClose} />}
      </Flex>
    </AppModal>
  )
}
