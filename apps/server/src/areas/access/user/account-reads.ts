import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import { hasPermission, type Caller } from '#http/route'
import { type PersonalRead, auditPersonalRead } from '#areas/audit/access-audit'

/**
 * Puts on record who looked at which accounts. Contact data of others in the clear is another action than the same data
 * masked. `action` is the permission of the call.
 */
export const auditAccountReads = (db: Db, who: Caller, reading: Omit<PersonalRead, 'subject'>): Promise<void> => {
  const others = reading.ids?.some((id) => id !== who.actor.userId) ?? false
  const action = others && hasPermission(who.actor)(REVEAL_PERMISSION) ? REVEAL_PERMISSION : reading.action
  return auditPersonalRead(db, who, { ...reading, action, subject: 'users' })
}
