import { addDays } from '@tocsin/contract/security/hours'
import { type MyShift, shifts } from '@tocsin/contract/security/shift'
import { type ShiftSwapRow, shiftSwaps } from '@tocsin/contract/security/swap'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Flex, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { notify } from '#ui/notify.ts'
import { formatDateTime } from '#ui/time.ts'

const timeText = (at: Date) => formatDateTime(at).slice(5, 16)

const Waiting = ({ swap }: { swap: ShiftSwapRow }) => {
  const { t } = useTranslation()
  const answer = useApiMutation(shiftSwaps.answer)
  const withdraw = useApiMutation(shiftSwaps.withdraw)
  const ref = { id: swap.id, version: swap.version }
  const text = t('duty.swapText', {
    by: swap.askedByName,
    post: swap.postName,
    time: timeText(swap.fromAt),
    other: swap.askedName,
    otherPost: swap.otherPostName,
    otherTime: timeText(swap.otherFromAt),
  })
  return (
    <Flex vertical gap="small">
      <span>{text}</span>
      <Flex gap="small">
        {swap.canAnswer && (
          <>
            <Button
              type="primary"
              loading={answer.isPending}
              onClick={() => answer.mutate({ body: { ...ref, agree: true } })}
            >
              {t('duty.swapAgree')}
            </Button>
            <Button loading={answer.isPending} onClick={() => answer.mutate({ body: { ...ref, agree: false } })}>
              {t('duty.swapRefuse')}
            </Button>
          </>
        )}
        {swap.canWithdraw && (
          <Button loading={withdraw.isPending} onClick={() => withdraw.mutate({ body: ref })}>
            {t('duty.swapWithdraw')}
          </Button>
        )}
      </Flex>
    </Flex>
  )
}

const DAYS = 14

const Ask = ({ own }: { own: readonly MyShift[] }) => {
  const { t } = useTranslation()
  const [shiftId, setShiftId] = useState<number>()
  const [otherShiftId, setOther] = useState<number>()
  const from = new Date(own[0]?.fromAt ?? 0)
  const query = { from, to: addDays(from, DAYS), pageSize: 200 }
  const { data } = useQuery({ ...queryFor(shifts.page, { query }), enabled: own.length > 0 })
  const { mutate, isPending } = useApiMutation(shiftSwaps.create)
  const others = (data?.list ?? []).filter(
    ({ isMine, state, publishedAt }) => !isMine && state === 'PLANNED' && publishedAt,
  )
  const planned = own.filter(({ state }) => state === 'PLANNED')
  if (planned.length === 0 || others.length === 0) return null
  const ask = () => {
    if (shiftId === undefined || otherShiftId === undefined) return
    mutate({ body: { shiftId, otherShiftId } }, { onSuccess: () => notify.success(t('duty.swapAsked')) })
  }
  return (
    <Flex vertical gap="small">
      <Select
        size="large"
        aria-label={t('duty.myShift')}
        placeholder={t('duty.myShift')}
        options={planned.map(({ id, postName, fromAt }) => ({ value: id, label: `${postName} ${timeText(fromAt)}` }))}
        onChange={(id: number) => setShiftId(id)}
      />
      <Select
        size="large"
        aria-label={t('duty.swapWith')}
        placeholder={t('duty.swapWith')}
        options={others.map(({ id, employeeName, postName, fromAt }) => ({
          value: id,
          label: `${employeeName} ${postName} ${timeText(fromAt)}`,
        }))}
        onChange={(id: number) => setOther(id)}
      />
      <Button disabled={shiftId === undefined || otherShiftId === undefined} loading={isPending} onClick={ask}>
        {t('duty.swapAsk')}
      </Button>
    </Flex>
  )
}

/** Swap requests to answer, and a new one. */
export const Swaps = ({ own }: { own: readonly MyShift[] }) => {
  const { t } = useTranslation()
  const { data } = useQuery(queryFor(shiftSwaps.page, { query: { open: true } }))
  return (
    <Card title={t('duty.swaps')} size="small">
      <Flex vertical gap="middle">
        {(data?.list ?? []).map((swap) => (
          <Waiting key={swap.id} swap={swap} />
        ))}
        <Ask own={own} />
      </Flex>
    </Card>
  )
}
