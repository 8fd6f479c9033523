import type { Db } from '#db/db'
import type { Who } from '../edit.ts'
import { changeUser } from '../user/change.ts'
import { changeRoles, setRoles } from '../user/roles.ts'
import type { Draft } from './judge.ts'

/** Changes a user as the forms would, with every rule that they have; the version is counted once. */
export const updateImported = async (trx: Db, id: number, draft: Draft, who: Who): Promise<void> => {
  const { username: _name, enabled: status, roleIds, ...columns } = draft
  const own = { ...columns, ...(status !== undefined && { status }) }
  const edited = Object.keys(own).length > 0
  if (edited) await changeUser(trx, { id, ...own }, who)
  if (edited) await setRoles(trx, id, { roleIds, who })
  else if (roleIds !== undefined) await changeRoles(trx, { userId: id, roleIds }, who)
}
