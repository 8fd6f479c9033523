import { type Disposition, LEAD_PERMISSION, needsSecondReviewer } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { type Actor, hasPermission } from '#http/route'
import { type UserVerbContext, rejectWithRecord } from './verb-context.ts'
import { executeVerb } from './execute-verb.ts'

type Ending = {
  id: number
  version: number
  disposition: Disposition
  causeCode?: string | null | undefined
  note: string
}

const result = ({ disposition, causeCode = null, note }: Ending) => ({ disposition, causeCode, note })

/** GB 50394 5.2.4: a panic device latches until a person resets it; only a lead may go past that, with a reason. */
const checkReset = async (scene: UserVerbContext, overrideReason: string | null): Promise<void> => {
  const { record, by } = scene
  if (record.class !== 'PANIC' || record.resetAt !== null) return
  if (!hasPermission(by)(LEAD_PERMISSION)) throw await rejectWithRecord(scene, codes.needsReset)
  if (!overrideReason) throw await rejectWithRecord(scene, codes.reasonNeeded)
}

/** Reset, or a lead's word in place of that: what it called for is over. */
const emergencyOver = ({ record }: UserVerbContext) =>
  record.class === 'PANIC' ? ({ condition: 'RECOVERED' } as const) : {}

const checkReady = async (scene: UserVerbContext): Promise<void> => {
  const { record, by } = scene
  if (record.state === 'CLAIMED' && record.validation === null) throw await rejectWithRecord(scene, codes.notVerified)
  // The close of a police situation does this; until there is one, a lead answers for it.
  if (record.state === 'ESCALATED' && !hasPermission(by)(LEAD_PERMISSION))
    throw await rejectWithRecord(scene, codes.leadOnly)
}

export const resolve = (db: Db, actor: Actor, given: Ending & { overrideReason?: string | null | undefined }) =>
  executeVerb(db, actor, ['resolve', given], async (scene) => {
    const overrideReason = given.overrideReason ?? null
    await checkReady(scene)
    await checkReset(scene, overrideReason)
    return {
      set: {
        ...result(given),
        falseBy: null,
        resolverId: actor.userId,
        ...emergencyOver(scene),
      },
      payload: { ...result(given), overrideReason },
    }
  })

/** Levels 1 and 2 stay open, and keep ringing while unclaimed, until somebody else agrees (domain 2.8). */
export const markFalse = (db: Db, actor: Actor, given: Ending) =>
  executeVerb(db, actor, ['false', given], async (scene) => {
    const { record } = scene
    const proposed = { ...result(given), falseBy: actor.userId }
    if (needsSecondReviewer(record))
      return { to: record.state, set: proposed, payload: { ...result(given), proposed: true } }
    await checkReset(scene, given.note)
    return { set: { ...proposed, resolverId: actor.userId, ...emergencyOver(scene) }, payload: result(given) }
  })

type OnRecord = { id: number; version: number }

export const confirmFalse = (db: Db, actor: Actor, given: OnRecord) =>
  executeVerb(db, actor, ['confirmFalse', given], async (scene) => {
    const { record } = scene
    await checkReset(scene, record.note)
    return {
      set: { resolverId: actor.userId, ...emergencyOver(scene) },
      payload: { disposition: record.disposition, proposedBy: record.falseBy },
    }
  })

export const rejectFalse = (db: Db, actor: Actor, given: OnRecord & { reason: string }) =>
  executeVerb(db, actor, ['refuseFalse', given], ({ record }) => ({
    set: { falseBy: null, disposition: null, causeCode: null, note: null },
    payload: { reason: given.reason, disposition: record.disposition, proposedBy: record.falseBy },
  }))
