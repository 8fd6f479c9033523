import { SHELVE_MAX_SEC } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { cancelSteps, timerKey, scheduleClaimReminder, claimReminderSteps } from '#areas/alarm/timer/schedule-timers'
import { cancelUnsentDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { scheduleTimer } from '#timer/timer'
import { rejectWithRecord } from './verb-context.ts'
import { executeVerb } from './execute-verb.ts'

type OnRecord = { id: number; version: number }

/** Shelves a record for at most eight hours. It stays visible to everybody and returns by itself (domain 6, rule 6). */
export const shelve = (db: Db, actor: Actor, input: OnRecord & { until: Date; reason: string }) =>
  executeVerb(db, actor, ['shelve', input], async (context) => {
    const { trx, record, now } = context
    const seconds = (input.until.getTime() - now.getTime()) / 1000
    if (seconds <= 0 || seconds > SHELVE_MAX_SEC)
      throw await rejectWithRecord(context, codes.shelveTooLong, { hours: SHELVE_MAX_SEC / 3600 })
    await cancelSteps(trx, record.id, ...claimReminderSteps)
    await cancelUnsentDeliveries(trx, { type: 'RECORD', id: record.id }, 'SUPERSEDED')
    await scheduleTimer(trx, timerKey(record, 'UNSHELVE'), seconds)
    return {
      set: { shelvedUntil: input.until },
      payload: { until: input.until.getTime(), reason: input.reason },
    }
  })

export const unshelve = (db: Db, actor: Actor, input: OnRecord) =>
  executeVerb(db, actor, ['unshelve', input], async (context) => {
    const { trx, record } = context
    if (record.shelvedUntil === null) throw await rejectWithRecord(context, codes.notShelved)
    await cancelSteps(trx, record.id, 'UNSHELVE')
    if (record.state === 'NEW') await scheduleClaimReminder(trx, { ...record, shelvedUntil: null })
    return { set: { shelvedUntil: null }, ring: true }
  })
