import {
  policeReminderSteps,
  cancelSteps,
  schedulePoliceReminder,
  scheduleStep,
} from '#areas/alarm/timer/schedule-timers'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { THREAT_TO_LIFE } from './timers.ts'
import { executeVerb } from './execute-verb.ts'

type OnRecord = { id: number; version: number }
type Noted = OnRecord & { note?: string | null | undefined }
type Reasoned = OnRecord & { reason: string }

export const verify = (db: Db, actor: Actor, input: Noted & { validation: number }) =>
  executeVerb(db, actor, ['verify', input], async ({ trx, record }) => {
    if (input.validation === THREAT_TO_LIFE) await schedulePoliceReminder(trx, record)
    else await cancelSteps(trx, record.id, ...policeReminderSteps)
    return {
      set: { validation: input.validation },
      reached: ['verifiedAt'],
      payload: { validation: input.validation, note: input.note ?? null },
    }
  })

export const dispatch = (db: Db, actor: Actor, input: Noted & { guards: string }) =>
  executeVerb(db, actor, ['dispatch', input], async ({ trx, record }) => {
    await scheduleStep(trx, record, 'T4')
    return {
      reached: ['dispatchedAt'],
      payload: { guards: input.guards, note: input.note ?? null },
      stage: 'dispatched',
    }
  })

export const markArrived = (db: Db, actor: Actor, input: Noted) =>
  executeVerb(db, actor, ['arrive', input], async ({ trx, record }) => {
    await cancelSteps(trx, record.id, 'T4')
    return { reached: ['onSiteAt'], payload: { note: input.note ?? null }, stage: 'onsite' }
  })

export const addNote = (db: Db, actor: Actor, input: OnRecord & { note: string }) =>
  executeVerb(db, actor, ['note', input], () => ({ payload: { note: input.note } }))

/** Every desk that sees it hears it, the one of the station among them. */
export const escalate = (db: Db, actor: Actor, input: Reasoned) =>
  executeVerb(db, actor, ['escalate', input], () => ({ payload: { reason: input.reason }, ring: true }))

/** The police sent it back: whoever owns it hears it again, else the lead who took note of it. */
export const returnFromPolice = (db: Db, actor: Actor, input: Reasoned) =>
  executeVerb(db, actor, ['returned', input], ({ record }) => ({
    set: { ownerId: record.ownerId ?? actor.userId },
    payload: { reason: input.reason },
    ring: true,
  }))
