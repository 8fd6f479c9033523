import { codes } from '@tocsin/contract/codes'
import { REVEAL } from '@tocsin/contract/system/user'
import { sql } from 'kysely'
import { conflictOf } from '#db/conflict'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Actor, may } from '#http/route'
import { giveBack, hasRoom, type Rate, withinRate } from '../auth/guard.ts'
import type { Who } from '../edit.ts'
import { recordReading } from '../reading.ts'
import { seesDept } from '../role/rights.ts'

/** "Taken" tells whose a number is. So many contacts that the actor reads masked, or not at all, he may be told a day. */
const TOLD: Rate = { calls: 10, seconds: 86_400 }
const keyOf = ({ userId }: Actor): string => `taken:${userId}`

/** Whether "taken" tells this actor of that user more than he may read. */
export const isHidden = (actor: Actor, { id, deptId }: { id: number; deptId: number }): boolean =>
  id !== actor.userId && !(may(actor)(REVEAL) && seesDept(actor, deptId))

export const hidesNobody = (actor: Actor): boolean => may(actor)(REVEAL) && actor.depts === 'all'

/** Whether he may still be told of one; takes none. */
export const mayBeTold = async (db: Db, actor: Actor): Promise<boolean> =>
  hidesNobody(actor) || (await hasRoom(db, keyOf(actor), TOLD))

/** Takes one of those he may be told. @returns false when none is left. */
export const takeTold = async (db: Db, actor: Actor): Promise<boolean> =>
  (await withinRate(db, keyOf(actor), TOLD)) !== undefined

type Told = { call: string; filter: Record<string, unknown>; ids: readonly number[] }

/** To be told whose a number is, is to read it. */
export const recordTold = async (db: Db, who: Who, { ids, ...told }: Told): Promise<void> => {
  if (ids.length > 0)
    await recordReading(db, who, { ...told, action: REVEAL, subject: 'users', ids: [...new Set(ids)] })
}

export type Contacts = { mobile?: string | null | undefined; email?: string | null | undefined }

/** Who has these contacts and is hidden from the actor. */
export const hiddenHolders = async (db: Db, actor: Actor, contacts: readonly Contacts[]): Promise<number[]> => {
  const mobiles = contacts.flatMap(({ mobile }) => mobile ?? [])
  const emails = contacts.flatMap(({ email }) => email?.toLowerCase() ?? [])
  if (hidesNobody(actor) || mobiles.length + emails.length === 0) return []
  const { rows } = await sql<{ id: number; deptId: number }>`
    select id, dept_id as "deptId" from users where mobile = any(${mobiles}) or lower(email) = any(${emails})`.execute(
    everything(db, 'contacts are unique over everybody'),
  )
  return rows.filter((user) => isHidden(actor, user)).map(({ id }) => id)
}

const isTaken = (error: unknown): boolean => {
  const code = conflictOf(error)?.code
  return code === codes.mobileExists || code === codes.emailExists
}

type Asked = { who: Who; call: string; contacts: Contacts; filter?: Record<string, unknown> }

/**
 * Does what gives a user these contacts. That one of them is taken by somebody hidden is on record as a reading; who has
 * been told enough for a day gives none any more, taken or not.
 */
export const tellingTaken = async <T>(
  db: Db,
  { who, call, contacts, filter = {} }: Asked,
  work: () => Promise<T>,
): Promise<T> => {
  const { actor } = who
  const given = [contacts.mobile, contacts.email].some((text) => text && !text.includes('*'))
  if (!given || hidesNobody(actor)) return work()
  // Taken before, or calls at one moment would all be told.
  if (!(await takeTold(db, actor))) throw new Refusal(codes.contactsUntold)
  let ids: readonly number[] = []
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) ids = await hiddenHolders(db, actor, [contacts])
    await recordTold(db, who, { call, filter, ids })
    throw error
  } finally {
    if (ids.length === 0) await giveBack(db, keyOf(actor), TOLD)
  }
}
