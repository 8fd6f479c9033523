import { SHELVE_MAX_SEC } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { cancelSteps, timerKey, scheduleClaimReminder, claimReminderSteps } from '#areas/alarm/timer/schedule-timers'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { scheduleTimer } from '#timer/timer'
import { rejectWithRecord } from './verb-context.ts'
import { executeVerb } from './execute-verb.ts'

type OnRecord = { id: number; version: number }

/** Out of the way for at most eight hours, in everybody's sight, back by itself (domain 6, rule 6). */
export const shelve = (db: Db, actor: Actor, given: OnRecord & { until: Date; reason: string }) =>
  executeVerb(db, actor, ['shelve', given], async (scene) => {
    const { trx, record, now } = scene
    const seconds = (given.until.getTime() - now.getTime()) / 1000
    if (seconds <= 0 || seconds > SHELVE_MAX_SEC)
      throw await rejectWithRecord(scene, codes.shelveTooLong, { hours: SHELVE_MAX_SEC / 3600 })
    await cancelSteps(trx, record.id, ...claimReminderSteps)
    await scheduleTimer(trx, timerKey(record, 'UNSHELVE'), seconds)
    return {
      set: { shelvedUntil: given.until },
      payload: { until: given.until.getTime(), reason: given.reason },
    }
  })

export const unshelve = (db: Db, actor: Actor, given: OnRecord) =>
  executeVerb(db, actor, ['unshelve', given], async (scene) => {
    const { trx, record } = scene
    if (record.shelvedUntil === null) throw await rejectWithRecord(scene, codes.notShelved)
    await cancelSteps(trx, record.id, 'UNSHELVE')
    if (record.state === 'NEW') await scheduleClaimReminder(trx, { ...record, shelvedUntil: null })
    return { set: { shelvedUntil: null }, ring: true }
  })
