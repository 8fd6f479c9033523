import type { Db } from '#db/db'
import type { Who } from '../edit.ts'
import { changeStatus } from '../user/account.ts'
import { changeUser } from '../user/change.ts'
import { changeRoles } from '../user/roles.ts'
import type { Draft } from './judge.ts'

/** Changes a user as the forms would, one after another, with every rule that they have. */
export const updateImported = async (trx: Db, id: number, draft: Draft, who: Who): Promise<void> => {
  const { username: _name, enabled, roleIds, ...columns } = draft
  if (Object.keys(columns).length > 0) await changeUser(trx, { id, ...columns }, who)
  if (roleIds !== undefined) await changeRoles(trx, { userId: id, roleIds }, who)
  // Last: it ends his sessions.
  if (enabled !== undefined) await changeStatus(trx, { id, status: enabled }, who)
}
