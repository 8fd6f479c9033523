import {
  ABSENT_AFTER_MIN,
  LATE_AFTER_MIN,
  shiftRule,
  type ShiftVerb,
  UNATTENDED_END_MIN,
  whyNotShiftVerb,
} from '@tocsin/contract/security/shift-machine'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { cancelTimers, scheduleTimer } from '#timer/timer'
import { ownerEvent } from '../owner.ts'
import { setAvailable } from './responder-availability.ts'
import type { StoredShift } from './shift-rows.ts'

/** Subject is the shift. */
export const SHIFT_TIMER = 'shift'

/** A shift published after its beginning, like that of a stand-in, is expected from then on. */
const expectedAt = ({ fromAt, publishedAt }: StoredShift): Date =>
  publishedAt && publishedAt > fromAt ? publishedAt : fromAt

const SECONDS = 60
const steps = {
  LATE: { verb: 'markLate', due: expectedAt, minutes: LATE_AFTER_MIN },
  ABSENT: { verb: 'markAbsent', due: expectedAt, minutes: ABSENT_AFTER_MIN },
  END: { verb: 'endUnattended', due: ({ toAt }) => toAt, minutes: UNATTENDED_END_MIN },
} as const satisfies Record<string, { verb: ShiftVerb; due: (shift: StoredShift) => Date; minutes: number }>

type Step = keyof typeof steps
const isStep = (name: string): name is Step => name in steps

/** Schedules the timers of a published shift; again when it was moved. */
export const scheduleShiftTimers = async (trx: Db, shift: StoredShift): Promise<void> => {
  for (const [step, { due, minutes }] of Object.entries(steps)) {
    const seconds = (due(shift).getTime() - Date.now()) / 1000 + minutes * SECONDS
    await scheduleTimer(trx, { kind: SHIFT_TIMER, subjectId: shift.id, step, epoch: 1 }, Math.max(seconds, 0))
  }
}

export const cancelShiftTimers = (trx: Db, shiftId: number): Promise<void> =>
  cancelTimers(trx, { kind: SHIFT_TIMER, subjectId: shiftId })

const runStep = async (trx: Db, shiftId: number, step: Step): Promise<void> => {
  const all = unscoped(trx, 'a timer acts for nobody in particular')
  const shift = await all.selectFrom('shift').selectAll().where('id', '=', shiftId).executeTakeFirst()
  const { verb } = steps[step]
  if (!shift || whyNotShiftVerb(verb, shift, new Date())) return
  await all
    .updateTable('shift')
    .set({ state: shiftRule(verb).to, version: sql<number>`version + 1`, updateTime: sql<Date>`now()` })
    .where('id', '=', shiftId)
    .execute()
  if (verb === 'endUnattended') await setAvailable(trx, shift, false)
  await emitEvents(trx, ownerEvent('shift.changed', shiftId, shift))
}

export const shiftTimerHandlers: Record<typeof SHIFT_TIMER, TimerHandler> = {
  [SHIFT_TIMER]: {
    most: 50,
    lock: async (trx, shiftIds, patient) => {
      const rows = unscoped(trx, 'a timer acts for nobody in particular')
        .selectFrom('shift')
        .select('id')
        .where('id', 'in', shiftIds)
        .orderBy('id')
        .forNoKeyUpdate()
      const locked = await (patient ? rows : rows.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const { subjectId, step } of keys) if (isStep(step)) await runStep(trx, subjectId, step)
    },
  },
}
