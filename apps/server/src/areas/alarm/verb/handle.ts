import { warnRecords } from '@tocsin/contract/alarm/records'
import { fieldError } from '#areas/audit/edit-transaction'
import { sendResponders } from '#areas/alarm/assignment/create-assignments'
import {
  policeReminderSteps,
  cancelSteps,
  schedulePoliceReminder,
  scheduleStep,
} from '#areas/alarm/timer/schedule-timers'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { THREAT_TO_LIFE } from './timers.ts'
import { attachEvidence, type Evidence } from '#areas/alarm/record/evidence'
import { executeVerb } from './execute-verb.ts'
import type { UserVerbContext } from './verb-context.ts'

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

type Sent = Noted & {
  responderIds?: readonly number[] | undefined
  toldName?: string | null | undefined
  toldPhone?: string | null | undefined
}

const send = async ({ trx, record, by, now }: UserVerbContext, { responderIds, note = null }: Sent) =>
  responderIds && sendResponders(trx, record, { byUserId: by.userId, responderIds, note, now })

/** Somebody who was told by telephone, for the log: called back only with name and number. */
const readTold = (verb: 'dispatch' | 'sendMore', { toldName, toldPhone }: Sent) => {
  if (!toldName && !toldPhone) return undefined
  if (!toldName || !toldPhone) throw fieldError(warnRecords[verb].body, toldName ? 'toldPhone' : 'toldName', 'required')
  return { toldName, toldPhone }
}

/** Sends people, who are notified, or notes who was told by other means. */
export const dispatch = (db: Db, actor: Actor, input: Sent & { guards?: string | undefined }) =>
  executeVerb(db, actor, ['dispatch', input], async (context) => {
    const told = readTold('dispatch', input)
    const sent = [...((await send(context, input)) ?? []), ...(input.guards ? [input.guards] : [])]
    if (sent.length === 0 && !told) throw fieldError(warnRecords.dispatch.body, 'responderIds', 'required')
    await scheduleStep(context.trx, context.record, 'T4')
    return {
      reached: ['dispatchedAt'],
      payload: { guards: sent.join('、'), ...told, note: input.note ?? null },
      stage: 'dispatched',
    }
  })

/** Sends more people to an alarm that is being handled. The device that pressed shows the furthest stage. */
export const sendMore = (db: Db, actor: Actor, input: Sent) =>
  executeVerb(db, actor, ['sendMore', input], async (context) => {
    const { trx, record } = context
    const told = readTold('sendMore', input)
    if (!input.responderIds && !told) throw fieldError(warnRecords.sendMore.body, 'responderIds', 'required')
    const sent = (await send(context, input)) ?? []
    if (record.onSiteAt === null) await scheduleStep(trx, record, 'T4')
    return {
      reached: ['dispatchedAt'],
      payload: { guards: sent.join('、'), ...told, note: input.note ?? null },
      ...(record.dispatchedAt === null && record.onSiteAt === null && { stage: 'dispatched' as const }),
    }
  })

export const markArrived = (db: Db, actor: Actor, input: Noted) =>
  executeVerb(db, actor, ['arrive', input], async ({ trx, record }) => {
    await cancelSteps(trx, record.id, 'T4')
    return { reached: ['onSiteAt'], payload: { note: input.note ?? null }, stage: 'onsite' }
  })

export const addNote = (db: Db, actor: Actor, input: OnRecord & { note: string; attachments?: Evidence }) =>
  executeVerb(db, actor, ['note', input], async ({ trx }) => {
    const kept = await attachEvidence(trx, { recordId: input.id, actor, files: input.attachments })
    return { payload: { note: input.note, ...kept } }
  })

/** Rings at every desk that sees the record, including the one of the station. */
export const escalate = (db: Db, actor: Actor, input: Reasoned) =>
  executeVerb(db, actor, ['escalate', input], () => ({ payload: { reason: input.reason }, ring: true }))

/** The police returned the alarm: it rings for its owner, else for the lead who took it over. */
export const returnFromPolice = (db: Db, actor: Actor, input: Reasoned) =>
  executeVerb(db, actor, ['returned', input], ({ record }) => ({
    set: { ownerId: record.ownerId ?? actor.userId },
    payload: { reason: input.reason },
    ring: true,
  }))
