import { zone } from '@tocsin/contract/time-zone'
import type { PermissionInfo } from '@tocsin/contract/access/auth'
import type { MenuNode } from '@tocsin/contract/access/rights/menu-node'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'
import { getSetting } from '#settings/settings-cache'
import { isDemoEnabled, isDemoMenu } from '#areas/settings/demo-switch'
import { optionalFileLink } from '#areas/files/file-store'
import { getPreferences } from '../people/profile/preference.ts'
import { isSeparationOfDutiesOn } from '../roles/grant-guards.ts'

const nodeOf = (menu: Row<'menu'>, children: MenuNode[]): MenuNode => ({
  id: menu.id,
  parentId: menu.parentId ?? 0,
  type: menu.type === 'BUTTON' ? 'MENU' : menu.type,
  name: menu.name,
  nameEn: menu.nameEn,
  path: menu.path ?? '',
  component: menu.component,
  componentName: menu.componentName,
  redirect: menu.redirect,
  icon: menu.icon ?? '',
  visible: menu.visible,
  keepAlive: menu.keepAlive,
  alwaysShow: menu.alwaysShow,
  children: children.length > 0 ? children : null,
})

/**
 * The tree from which a browser builds its routes. `granted` are the entries of the roles; their ancestors are derived.
 * A disabled entry removes everything below it; buttons, entries without a path to the top level, and directories that
 * would be empty are left out (wire 1.1, 4.4).
 */
export const menuTree = (menus: readonly Row<'menu'>[], granted: 'all' | ReadonlySet<number>): MenuNode[] => {
  const shown = menus.filter(({ enabled, type }) => enabled && type !== 'BUTTON')
  const buttons = menus.filter(({ enabled, type }) => enabled && type === 'BUTTON')
  const byParent = Map.groupBy(shown, ({ parentId }) => parentId)
  const buttonsOf = Map.groupBy(buttons, ({ parentId }) => parentId)
  const ticked = (menu: Row<'menu'>) =>
    granted === 'all' || granted.has(menu.id) || (buttonsOf.get(menu.id) ?? []).some(({ id }) => granted.has(id))
  const below = (parentId: number | null): MenuNode[] =>
    (byParent.get(parentId) ?? [])
      .toSorted((a, b) => a.sort - b.sort || a.id - b.id)
      .flatMap((menu) => {
        const children = below(menu.id)
        if (children.length === 0 && (menu.type === 'DIR' || !ticked(menu))) return []
        return [nodeOf(menu, children)]
      })
  return below(null)
}

const enabledRoles = (db: Db, userId: number) =>
  db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['role.id', 'role.code', 'role.builtIn'])
    .where('userRole.userId', '=', userId)
    .where('role.enabled', '=', true)
    .orderBy('role.sort')
    .orderBy('role.id')
    .execute()

type Seen = { actor: Actor; menus: readonly Row<'menu'>[]; roles: Awaited<ReturnType<typeof enabledRoles>> }

/** The menus of the administrator with separated offices: no screen without a permitted button. */
const ofAdmin = ({ actor, menus }: Seen): ReadonlySet<number> => {
  const parents = new Set(menus.flatMap(({ type, parentId }) => (type === 'BUTTON' && parentId ? [parentId] : [])))
  const open = menus.filter(({ id, type, permission }) =>
    type === 'BUTTON' ? !permission || actor.permissions.has(permission) : !parents.has(id),
  )
  return new Set(open.map(({ id }) => id))
}

const grantedMenus = async (db: Db, seen: Seen) => {
  if (seen.roles.some(({ code, builtIn }) => builtIn && code === 'super_admin'))
    return (await isSeparationOfDutiesOn(db)) ? ofAdmin(seen) : 'all'
  const ids = seen.roles.map(({ id }) => id)
  const ticked = await db
    .selectFrom('roleMenu')
    .select('menuId')
    .where('roleId', '=', sql<number>`any(${ids})`)
    .execute()
  return new Set(ticked.map(({ menuId }) => menuId))
}

/** The menus of this installation: demo pages only where they are enabled. */
const menusHere = async (db: Db) => {
  const menus = await db.selectFrom('menu').selectAll().execute()
  return (await isDemoEnabled(db)) ? menus : menus.filter((menu) => !isDemoMenu(menu))
}

/** The signed-in user, and everything the console is drawn from: roles, permissions, menus. */
export const permissionInfo = async (db: Db, actor: Actor): Promise<PermissionInfo> => {
  const [{ avatarId, ...user }, roles, menus, preferences] = await Promise.all([
    scoped(db, actor)
      .selectFrom('users')
      .innerJoin('dept', 'dept.id', 'users.deptId')
      .select([
        'users.id',
        'users.username',
        'users.nickname',
        'users.avatarId',
        'users.deptId',
        'dept.name as deptName',
      ])
      .where('users.id', '=', actor.userId)
      .executeTakeFirstOrThrow(),
    enabledRoles(db, actor.userId),
    menusHere(db),
    getPreferences(db, actor),
  ])
  return {
    user: { ...user, avatar: optionalFileLink(avatarId, actor.userId) },
    roles: roles.map(({ code }) => code),
    permissions: [...actor.permissions].sort(),
    menus: roles.length === 0 ? [] : menuTree(menus, await grantedMenus(db, { actor, menus, roles })),
    preferences,
    timeZone: zone.name,
    site: {
      documentUrl: await getSetting(db, 'site.document-url'),
      projectUrl: await getSetting(db, 'site.project-url'),
    },
  }
}
