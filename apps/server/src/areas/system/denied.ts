import type { Db } from '#db/db'
import type { Denied } from '#http/mount'
import { type Pace, pacer } from '#http/pace'
import { audit } from './audit.ts'

/** Of one person, on this node: who tries on and on says no more by it, and must not fill the audit. */
const PACE: Pace = { perSecond: 0.2, atOnce: 20 }

/** Which row he was after, where the call names one. */
const targetOf = (input: Denied['input']): Record<string, number | readonly number[]> => {
  const said = Object.values(input).flatMap((part) => (part && typeof part === 'object' ? Object.entries(part) : []))
  const ids = said.filter(
    ([key, value]) =>
      ['id', 'ids', 'userId', 'roleId'].includes(key) && (typeof value === 'number' || Array.isArray(value)),
  )
  // Decoded: ids are numbers, and lists of them.
  return Object.fromEntries(ids) as Record<string, number | readonly number[]>
}

/** Puts on record what somebody tried without a right to it. */
export const noteDenied = (db: Db, pace = PACE): ((denied: Denied) => Promise<void>) => {
  const mayNote = pacer(pace)
  return async ({ actor, origin, endpoint: { permission, path }, code, input }) => {
    if (!mayNote(actor.userId)) return
    const action = permission === 'token' ? path.slice(1).replaceAll('/', ':') : permission
    await audit(db, { actor, origin, action, result: code, after: { call: path, ...targetOf(input) } })
  }
}
