import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { hasPermission, type Caller } from '#http/route'
import { changeUser } from '../people/change.ts'
import { changeRoles } from '../people/roles.ts'
import { UPDATE_USER } from './grant-check.ts'
import type { Draft } from './validate-line.ts'

/** Changes a user by every rule of the forms; the version is counted once. `id`: null when the user was deleted. */
export const updateImported = async (trx: Db, id: number | null, draft: Draft, caller: Caller): Promise<void> => {
  if (id === null) throw new BusinessError(codes.userMissing)
  const { username: _name, enabled: status, roleIds, ...columns } = draft
  const own = { ...columns, ...(status !== undefined && { status }) }
  const edited = Object.keys(own).length > 0
  // Reads again, because the check may have run a day ago.
  if (!hasPermission(caller.actor)(UPDATE_USER)) throw new BusinessError(codes.forbidden)
  if (edited) await changeUser(trx, { id, ...own, roleIds }, caller)
  else if (roleIds !== undefined) await changeRoles(trx, { userId: id, roleIds }, caller)
}
