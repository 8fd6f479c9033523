import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** Accounts of a school and of its district with a permission, who are notified of its duty. */
export const listDutyReaders = async (
  trx: Db,
  schoolId: number,
  permission: string,
): Promise<{ deptId: number; userIds: number[] } | undefined> => {
  const all = unscoped(trx, 'a school and its district are notified of its duty')
  const school = await all
    .selectFrom('school')
    .innerJoin('dept', 'dept.id', 'school.deptId')
    .select(['school.deptId', 'dept.parentId'])
    .where('school.id', '=', schoolId)
    .executeTakeFirst()
  if (!school) return undefined
  const depts = [school.deptId, ...(school.parentId === null ? [] : [school.parentId])]
  const readers = await all
    .selectFrom('users')
    .innerJoin('userRole', 'userRole.userId', 'users.id')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .innerJoin('roleMenu', 'roleMenu.roleId', 'role.id')
    .innerJoin('menu', 'menu.id', 'roleMenu.menuId')
    .select('users.id')
    .distinct()
    .where('menu.permission', '=', permission)
    .where('menu.enabled', '=', true)
    .where('role.enabled', '=', true)
    .where('users.deptId', 'in', depts)
    .where('users.enabled', '=', true)
    .execute()
  return { deptId: school.deptId, userIds: readers.map(({ id }) => id) }
}
