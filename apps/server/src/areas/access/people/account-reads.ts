import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import { hasPermission, type Caller } from '#http/route'
import { type PersonalRead, auditPersonalRead } from '#areas/audit/access-audit'

/**
 * Audits the reading of accounts. Unmasked contact data of other users is a different action from masked data. `action`
 * is the permission of the call.
 */
export const auditAccountReads = (db: Db, caller: Caller, reading: Omit<PersonalRead, 'subject'>): Promise<void> => {
  const others = reading.ids?.some((id) => id !== caller.actor.userId) ?? false
  const action = others && hasPermission(caller.actor)(REVEAL_PERMISSION) ? REVEAL_PERMISSION : reading.action
  return auditPersonalRead(db, caller, { ...reading, action, subject: 'users' })
}
