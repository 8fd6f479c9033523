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
const checkReset = async (context: UserVerbContext, overrideReason: string | null): Promise<void> => {
  const { record, by } = context
  if (record.class !== 'PANIC' || record.resetAt !== null) return
  if (!hasPermission(by)(LEAD_PERMISSION)) throw await rejectWithRecord(context, codes.needsReset)
  if (!overrideReason) throw await rejectWithRecord(context, codes.reasonNeeded)
}

/** Reset, or a lead's word in place of that: what it called for is over. */
const emergencyOver = ({ record }: UserVerbContext) =>
  record.class === 'PANIC' ? ({ condition: 'RECOVERED' } as const) : {}

const checkReady = async (context: UserVerbContext): Promise<void> => {
  const { record, by } = context
  if (record.state === 'CLAIMED' && record.validation === null) throw await rejectWithRecord(context, codes.notVerified)
  // The close of a police situation does this; until there is one, a lead answers for it.
  if (record.state === 'ESCALATED' && !hasPermission(by)(LEAD_PERMISSION))
    throw await rejectWithRecord(context, codes.leadOnly)
}

export const resolve = (db: Db, actor: Actor, input: Ending & { overrideReason?: string | null | undefined }) =>
  executeVerb(db, actor, ['resolve', input], async (context) => {
    const overrideReason = input.overrideReason ?? null
    await checkReady(context)
    await checkReset(context, overrideReason)
    return {
      set: {
        ...result(input),
        falseBy: null,
        resolverId: actor.userId,
        ...emergencyOver(context),
      },
      payload: { ...result(input), overrideReason },
    }
  })

/** Levels 1 and 2 stay open, and keep ringing while unclaimed, until somebody else agrees (domain 2.8). */
export const markFalse = (db: Db, actor: Actor, input: Ending) =>
  executeVerb(db, actor, ['false', input], async (context) => {
    const { record } = context
    const proposed = { ...result(input), falseBy: actor.userId }
    if (needsSecondReviewer(record))
      return { to: record.state, set: proposed, payload: { ...result(input), proposed: true } }
    await checkReset(context, input.note)
    return { set: { ...proposed, resolverId: actor.userId, ...emergencyOver(context) }, payload: result(input) }
  })

type OnRecord = { id: number; version: number }

export const confirmFalse = (db: Db, actor: Actor, input: OnRecord) =>
  executeVerb(db, actor, ['confirmFalse', input], async (context) => {
    const { record } = context
    await checkReset(context, record.note)
    return {
      set: { resolverId: actor.userId, ...emergencyOver(context) },
      payload: { disposition: record.disposition, proposedBy: record.falseBy },
    }
  })

export const rejectFalse = (db: Db, actor: Actor, input: OnRecord & { reason: string }) =>
  executeVerb(db, actor, ['refuseFalse', input], ({ record }) => ({
    set: { falseBy: null, disposition: null, causeCode: null, note: null },
    payload: { reason: input.reason, disposition: record.disposition, proposedBy: record.falseBy },
  }))
