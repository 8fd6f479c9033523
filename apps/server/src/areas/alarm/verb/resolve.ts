import { assertChecklistDone } from '#areas/alarm/checklist/response-run'
import { attachEvidence, type Evidence } from '#areas/alarm/record/evidence'
import { type Disposition, LEAD_PERMISSION, needsSecondReviewer } from '@tocsin/contract/alarm/state-machine'
import { type Code, codes } from '@tocsin/contract/codes'
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

/** GB 50394 5.2.4: a panic device latches until a person resets it. Only a lead may skip that, with a reason. */
export const whyNotReset = (
  { record, by }: Pick<UserVerbContext, 'record' | 'by'>,
  overrideReason: string | null,
): Code | undefined => {
  if (record.class !== 'PANIC' || record.resetAt !== null) return undefined
  if (!hasPermission(by)(LEAD_PERMISSION)) return codes.needsReset
  return overrideReason ? undefined : codes.reasonNeeded
}

const checkReset = async (context: UserVerbContext, overrideReason: string | null): Promise<void> => {
  const code = whyNotReset(context, overrideReason)
  if (code) throw await rejectWithRecord(context, code)
}

/** Reset, or replaced by a lead's decision: the emergency is over. */
const emergencyOver = ({ record }: UserVerbContext) =>
  record.class === 'PANIC' ? ({ condition: 'RECOVERED' } as const) : {}

const checkReady = async (context: UserVerbContext): Promise<void> => {
  const { record, by } = context
  if (record.state === 'CLAIMED' && record.validation === null) throw await rejectWithRecord(context, codes.notVerified)
  // Closing the police incident does this. Without one, a lead is responsible.
  if (record.state === 'ESCALATED' && !hasPermission(by)(LEAD_PERMISSION))
    throw await rejectWithRecord(context, codes.leadOnly)
}

export const resolve = (
  db: Db,
  actor: Actor,
  input: Ending & { overrideReason?: string | null | undefined; attachments?: Evidence },
) =>
  executeVerb(db, actor, ['resolve', input], async (context) => {
    const overrideReason = input.overrideReason ?? null
    await checkReady(context)
    await checkReset(context, overrideReason)
    await assertChecklistDone(context.trx, input.id, input.disposition)
    const kept = await attachEvidence(context.trx, { recordId: input.id, actor, files: input.attachments })
    return {
      set: {
        ...result(input),
        falseBy: null,
        resolverId: actor.userId,
        ...emergencyOver(context),
      },
      payload: { ...result(input), overrideReason, ...kept },
    }
  })

/** Levels 1 and 2 stay open, and keep ringing while unclaimed, until another person confirms (domain 2.8). */
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
