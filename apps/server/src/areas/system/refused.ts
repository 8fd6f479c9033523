import { REVEAL } from '@tocsin/contract/system/user'
import type { Db } from '#db/db'
import type { Refused } from '#http/mount'
import { type Pace, pacer } from '#http/pace'
import type { Shows } from '#http/refusal'
import { may } from '#http/route'
import { audit } from './audit.ts'
import { recordReading } from './reading.ts'

/** Of one person, on this node: who tries on and on says no more by it, and must not fill the audit. */
const PACE: Pace = { perSecond: 0.2, atOnce: 20 }

/** Which row he was after, where the call names one. */
const targetOf = (input: Refused['input']): Record<string, number | readonly number[]> => {
  const said = Object.values(input).flatMap((part) => (part && typeof part === 'object' ? Object.entries(part) : []))
  const ids = said.filter(
    ([key, value]) =>
      ['id', 'ids', 'userId', 'roleId'].includes(key) && (typeof value === 'number' || Array.isArray(value)),
  )
  // Decoded: ids are numbers, and lists of them.
  return Object.fromEntries(ids) as Record<string, number | readonly number[]>
}

/** Who is told that a row is another one by now is shown it, which is to read it. */
const noteShown = (db: Db, { actor, origin, endpoint }: Refused, { subject, id, read }: Shows) => {
  const others = subject !== 'users' || id !== actor.userId
  const action = others && may(actor)(REVEAL) ? REVEAL : read
  return recordReading(db, { actor, origin }, { action, subject, call: endpoint.path, filter: { id }, ids: [id] })
}

/** Puts on record what somebody tried without a right to it, and what he was shown with another refusal. */
export const noteRefused = (db: Db, pace = PACE): ((refused: Refused) => Promise<void>) => {
  const mayNote = pacer(pace)
  return async (refused) => {
    const { actor, origin, endpoint, refusal, input } = refused
    if (refusal.shows) return noteShown(db, refused, refusal.shows)
    if (!mayNote(actor.userId)) return
    const { permission, path } = endpoint
    const action = permission === 'token' ? path.slice(1).replaceAll('/', ':') : permission
    await audit(db, { actor, origin, action, result: refusal.code, after: { call: path, ...targetOf(input) } })
  }
}
