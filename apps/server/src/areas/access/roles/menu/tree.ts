import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'

// "menu" in ASCII: one change of the tree at a time, because two concurrent moves could create a cycle.
const TREE = 0x6d656e75
export const lockMenuTree = (trx: Db) => sql`select pg_advisory_xact_lock(${TREE})`.execute(trx)

type Below = { id: number; permission: string | null }

/** An entry and all its descendants. */
export const listSubtree = async (trx: Db, id: number): Promise<Below[]> => {
  const { rows } = await sql<Below>`
    with recursive below as (
      select id, permission from menu where id = ${id}
      union select m.id, m.permission from menu m join below on m.parent_id = below.id
    ) select id, permission from below`.execute(trx)
  return rows
}

type AddressedMenu = Pick<Row<'menu'>, 'id' | 'parentId' | 'type' | 'path' | 'enabled'>

/** The address of an entry on this site, as the router compares it; undefined while it or an ancestor is disabled. */
const fullPath = (byId: ReadonlyMap<number, AddressedMenu>, menu: AddressedMenu): string | undefined => {
  if (!menu.enabled) return undefined
  const parent = menu.parentId === null ? undefined : byId.get(menu.parentId)
  const above = parent ? fullPath(byId, parent) : ''
  return above === undefined ? undefined : `${above}/${menu.path ?? ''}`.replaceAll(/\/+/g, '/').toLowerCase()
}

const listSharedPaths = async (trx: Db): Promise<string[]> => {
  const menus = await trx.selectFrom('menu').select(['id', 'parentId', 'type', 'path', 'enabled']).execute()
  const byId = new Map(menus.map((menu) => [menu.id, menu]))
  const paths = menus.flatMap((menu) => (menu.type === 'MENU' ? [fullPath(byId, menu)?.replace(/\/$/, '')] : []))
  return paths.filter((path, index): path is string => path !== undefined && paths.indexOf(path) < index)
}

/** Applies a change, unless it gave two enabled menus one address: the router would never reach the second. */
export const changeKeepingPathsUnique = async <T>(trx: Db, change: () => Promise<T>): Promise<T> => {
  const before = new Set(await listSharedPaths(trx))
  const result = await change()
  const path = (await listSharedPaths(trx)).find((sharedPath) => !before.has(sharedPath))
  if (path !== undefined) throw new BusinessError(codes.menuPath, { path })
  return result
}

/** Only directories and menus have entries below. */
export const getParentMenu = async (trx: Db, parentId: number | null): Promise<Row<'menu'> | undefined> => {
  if (parentId === null) return undefined
  const parent = await trx.selectFrom('menu').selectAll().where('id', '=', parentId).executeTakeFirst()
  if (!parent) throw new BusinessError(codes.menuParentMissing)
  if (parent.type === 'BUTTON' || parent.type === 'LINK') throw new BusinessError(codes.menuParentButton)
  return parent
}

/** With these permissions the system administrator, who holds every permission, can restore all others. */
const needed = ['system:menu:query', 'system:menu:create', 'system:menu:update']

type Step = Pick<Row<'menu'>, 'id' | 'parentId' | 'type' | 'component' | 'enabled'>

/** Whether an enabled entry, with enabled ancestors, leads to the screen of menus. */
const leadsToMenus = (menus: readonly Step[]): boolean => {
  const byId = new Map(menus.map((menu) => [menu.id, menu]))
  const live = (id: number): boolean => {
    const menu = byId.get(id)
    return !!menu?.enabled && (menu.parentId === null || live(menu.parentId))
  }
  return menus.some(
    ({ id, type, component }) => type === 'MENU' && component?.split('?')[0] === 'system/menu/index' && live(id),
  )
}

/**
 * Applies a change, unless nobody could repair the menus afterwards because the screen or one of its permissions is
 * gone.
 */
export const changeKeepingMenusEditable = async (
  trx: Db,
  before: Step,
  change: () => Promise<unknown>,
): Promise<void> => {
  await change()
  const menus = await trx
    .selectFrom('menu')
    .select(['id', 'parentId', 'type', 'component', 'enabled', 'permission'])
    .execute()
  const led = leadsToMenus([...menus.filter(({ id }) => id !== before.id), before])
  if (led && !leadsToMenus(menus)) throw new BusinessError(codes.menuScreen)
  const permission = needed.find((item) => !menus.some((entry) => entry.permission === item))
  if (permission) throw new BusinessError(codes.menuNeeded, { permission })
}
