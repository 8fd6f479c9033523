import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import type { DeniedCall } from '#http/mount'
import { type RateLimit, createRateLimiter } from '#http/rate-limiter'
import type { DisclosedRow } from '#http/business-error'
import { hasPermission } from '#http/route'
import { writeAudit } from './audit.ts'
import { auditPersonalRead } from './access-audit.ts'

/** Of one user, on this node: repeated attempts add no information and must not fill the audit. */
const DENIAL_AUDIT_RATE: RateLimit = { perSecond: 0.2, atOnce: 20 }

/** The row that the attempt was about, if the call names one. */
const targetOf = (input: DeniedCall['input']): Record<string, number | readonly number[]> => {
  const said = Object.values(input).flatMap((part) => (part && typeof part === 'object' ? Object.entries(part) : []))
  const ids = said.filter(
    ([key, value]) =>
      ['id', 'ids', 'userId', 'roleId'].includes(key) && (typeof value === 'number' || Array.isArray(value)),
  )
  // Decoded: ids are numbers, or lists of numbers.
  return Object.fromEntries(ids) as Record<string, number | readonly number[]>
}

/** A stale edit discloses the current row, which counts as a read. */
const auditDisclosedRow = (
  db: Db,
  { actor, origin, endpoint }: DeniedCall,
  { subject, id, permission: read }: DisclosedRow,
) => {
  const others = subject !== 'users' || id !== actor.userId
  const action = others && hasPermission(actor)(REVEAL_PERMISSION) ? REVEAL_PERMISSION : read
  return auditPersonalRead(db, { actor, origin }, { action, subject, call: endpoint.path, filter: { id }, ids: [id] })
}

/** Audits a denied call, and the rows that another error disclosed. */
export const createDenialAudit = (db: Db, pace = DENIAL_AUDIT_RATE): ((refused: DeniedCall) => Promise<void>) => {
  const mayNote = createRateLimiter(pace)
  return async (refused) => {
    const { actor, origin, endpoint, error: refusal, input } = refused
    if (refusal.discloses) return auditDisclosedRow(db, refused, refusal.discloses)
    if (!mayNote(actor.userId)) return
    const { permission, path } = endpoint
    const action = permission === 'token' ? path.slice(1).replaceAll('/', ':') : permission
    await writeAudit(db, { actor, origin, action, result: refusal.code, after: { call: path, ...targetOf(input) } })
  }
}
