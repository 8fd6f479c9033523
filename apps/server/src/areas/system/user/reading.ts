import { REVEAL } from '@tocsin/contract/system/user'
import type { Db } from '#db/db'
import { may } from '#http/route'
import type { Who } from '../edit.ts'
import { type Reading, recordReading } from '../reading.ts'

/**
 * Puts on record who looked at which accounts. Contact data of others in the clear is another action than the same data
 * masked. `action` is the permission of the call.
 */
export const recordAccounts = (db: Db, who: Who, reading: Omit<Reading, 'subject'>): Promise<void> => {
  const others = reading.ids?.some((id) => id !== who.actor.userId) ?? false
  const action = others && may(who.actor)(REVEAL) ? REVEAL : reading.action
  return recordReading(db, who, { ...reading, action, subject: 'users' })
}
