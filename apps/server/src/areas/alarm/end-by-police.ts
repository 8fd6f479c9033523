import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { lockForSystem, type VerbContext } from '#areas/alarm/verb/verb-context'
import { whyNotReset } from '#areas/alarm/verb/resolve'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

/** Finds an alarm that is with the police; undefined when the school has ended it meanwhile. */
const lockEscalated = async (trx: Db, recordId: number): Promise<VerbContext | undefined> => {
  const [context] = await lockForSystem(trx, [recordId])
  return context?.record.state === 'ESCALATED' ? context : undefined
}

type Ending = { recordId: number; note: string; situationNo: string }

/**
 * Resolves the alarm and tells its devices after the police closed their incident. For a panic button that nobody has
 * reset, the police need a shift lead just as the school does; the closing note is the reason (decisions 012 and 040).
 */
export const resolveByPolice = async (trx: Db, actor: Actor, ending: Ending): Promise<void> => {
  const context = await lockEscalated(trx, ending.recordId)
  if (!context) return
  const { record } = context
  const notReset = whyNotReset({ record, by: actor }, ending.note)
  if (notReset) throw new BusinessError(notReset)
  const overrideReason = record.class === 'PANIC' && record.resetAt === null ? ending.note : null
  const result = { disposition: 'REAL_POLICE', causeCode: null, note: ending.note } as const
  await applyOutcome({ ...context, by: actor }, 'resolve', {
    set: {
      ...result,
      falseBy: null,
      resolverId: actor.userId,
      ...(record.class === 'PANIC' && { condition: 'RECOVERED' as const }),
    },
    payload: { ...result, overrideReason, situationNo: ending.situationNo },
  })
}

/** Returns the alarm to the school after the police sent it back. Every desk rings. */
export const returnByPolice = async (
  trx: Db,
  actor: Actor,
  { recordId, reason }: { recordId: number; reason: string },
): Promise<void> => {
  const context = await lockEscalated(trx, recordId)
  if (!context) return
  await applyOutcome({ ...context, by: actor }, 'returned', { payload: { reason }, ring: true })
}
