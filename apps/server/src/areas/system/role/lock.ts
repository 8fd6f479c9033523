import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import { audit } from '../audit.ts'
import { checkVersion, recordable, type Who } from '../edit.ts'
import { reachOfRole } from './reach.ts'
import { currentRole } from './read.ts'
import { checkNotHeld, checkWithin } from './rights.ts'

/** A role that people made, within the actor's rights as it is now, held until the transaction ends. */
export const lockRole = async (
  trx: Db,
  edit: { id: number; version?: number | undefined },
  { actor }: Who,
): Promise<Row<'role'>> => {
  const role = await trx.selectFrom('role').selectAll().where('id', '=', edit.id).forNoKeyUpdate().executeTakeFirst()
  if (!role) throw new Refusal(codes.roleMissing)
  if (role.builtIn) throw new Refusal(codes.roleBuiltIn)
  await checkVersion(edit.version, role, () => currentRole(trx, edit.id, actor))
  await checkNotHeld(trx, actor, edit.id)
  await checkWithin(trx, actor, await reachOfRole(trx, edit.id))
  return role
}

export const recorded = (trx: Db, who: Who, entry: { action: string; id: number; before?: object; after?: object }) =>
  audit(trx, {
    ...who,
    action: entry.action,
    subject: 'role',
    subjectId: entry.id,
    before: entry.before ? recordable({ ...entry.before }) : null,
    after: entry.after ? recordable({ ...entry.after }) : null,
  })
