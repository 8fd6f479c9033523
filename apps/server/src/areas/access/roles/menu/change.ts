import { codes } from '@tocsin/contract/codes'
import { type MenuDraft, MenuEdit } from '@tocsin/contract/access/rights/menu'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { isPageRoute } from '#http/web'
import { recordChange } from '#areas/audit/edit-row'
import type { Caller } from '#http/route'
import {
  createStamp,
  fieldError,
  checkVersion,
  runEdit,
  changedColumns,
  updateStamp,
} from '#areas/audit/edit-transaction'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import { reorderedSiblings, saveSiblingOrder, listSiblings } from '#areas/audit/sibling-order'
import { assertMayGrantMenus } from '../grant-guards.ts'
import { currentMenu } from './read.ts'
import {
  lockMenuTree,
  changeKeepingMenusEditable,
  changeKeepingPathsUnique,
  getParentMenu,
  listSubtree,
} from './tree.ts'

registerConstraintErrors({
  menu_name_key: { code: codes.menuName },
  menu_component_name_key: { code: codes.menuComponentName },
  menu_parent_id_fkey: { code: codes.menuChildren },
})

const elsewhere = /^https?:/i

/** Letters, digits and characters that browsers do not encode, with parameters (`:id`). */
const PLAIN = /^[\w\-./~:*?]+$/

type Shape = Pick<Row<'menu'>, 'type' | 'path' | 'parentId'>

/** Anything that leads a browser elsewhere: within a page, one level up, or to what this server answers itself. */
const isLost = (path: string) => /#|(^|\/)\.{1,2}(\/|$)/.test(path) || !isPageRoute(`${path}/`)

/** A path at the top level begins with a slash, one below does not, except addresses of other sites (wire 1.3). */
const checkPath = ({ type, path, parentId }: Shape) => {
  if (type === 'BUTTON') return
  if (!path) throw fieldError(MenuEdit, 'path', 'required')
  if (elsewhere.test(path)) return
  // Any other scheme would run as a script when clicked.
  if (
    /^[a-z][a-z0-9+.-]*:/i.test(path) ||
    !PLAIN.test(path) ||
    path.startsWith('/') !== (parentId === null) ||
    isLost(path)
  )
    throw fieldError(MenuEdit, 'path', 'format')
}

const blank = { path: null, icon: null, component: null, componentName: null, redirect: null }

/** A button has no path; an entry with the address of another site is a link. */
const shaped = (type: Row<'menu'>['type'], path: string | null) => {
  if (type === 'BUTTON') return { type, ...blank }
  const link = type === 'LINK' || (type === 'MENU' && elsewhere.test(path ?? ''))
  if (!link) return { type }
  if (!elsewhere.test(path ?? '')) return { type: 'MENU' as const }
  return { type: 'LINK' as const, component: null, componentName: null, redirect: null }
}

const recorded = (trx: Db, caller: Caller, { action, id, ...change }: { action: string; id: number } & Change) =>
  recordChange(trx, caller, {
    ...change,
    action: `system:menu:${action}`,
    subject: 'menu',
    id,
    events: [{ type: 'permission.changed', ref: id }],
  })
type Change = { before?: object; after?: object }

export const createMenu = (db: Db, draft: MenuDraft, caller: Caller): Promise<number> =>
  runEdit(db, 'all', async (trx) => {
    await lockMenuTree(trx)
    await getParentMenu(trx, draft.parentId)
    const { status = true, path = null, ...columns } = draft
    const shape = shaped(draft.type, path)
    checkPath({ type: shape.type, path, parentId: draft.parentId })
    await assertMayGrantMenus(trx, caller.actor, [{ permission: draft.permission ?? null }])
    const values = { ...columns, nameEn: draft.nameEn ?? draft.name, path, ...shape, enabled: status }
    const after = await changeKeepingPathsUnique(trx, () =>
      trx
        .insertInto('menu')
        .values({ ...values, ...createStamp(caller) })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    // Gives every entry to the system administrator.
    await recorded(trx, caller, { action: 'create', id: after.id, after })
    return after.id
  })

const lockMenu = async (trx: Db, id: number): Promise<Row<'menu'>> => {
  const menu = await trx.selectFrom('menu').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!menu) throw new BusinessError(codes.menuMissing)
  return menu
}

/** Checks place and shape after the edit against the current tree. */
const checkEdit = async (trx: Db, before: Row<'menu'>, next: Shape & { permission: string | null }, caller: Caller) => {
  const below = await listSubtree(trx, before.id)
  if (next.parentId === before.id) throw new BusinessError(codes.menuParentSelf)
  if (below.some(({ id }) => id === next.parentId)) throw new BusinessError(codes.menuParentBelow)
  if (next.parentId !== before.parentId) await getParentMenu(trx, next.parentId)
  if (below.length > 1 && (next.type === 'BUTTON' || next.type === 'LINK')) throw fieldError(MenuEdit, 'type', 'choice')
  checkPath(next)
  // Enabling or moving an entry activates what is below it: the actor must hold all of it.
  await assertMayGrantMenus(trx, caller.actor, [...below, { permission: next.permission }])
}

/** Nobody changes what a built-in role grants, so nobody changes it through its entries either. */
const keepBuiltIn = async (trx: Db, menuId: number) => {
  const roles = await trx
    .selectFrom('roleMenu')
    .innerJoin('role', 'role.id', 'roleMenu.roleId')
    .select('role.name')
    .where('menuId', '=', menuId)
    .where('builtIn', '=', true)
    .where('code', '<>', 'super_admin')
    .orderBy('role.sort')
    .execute()
  if (roles.length > 0) throw new BusinessError(codes.menuBuiltIn, { roles: roles.map(({ name }) => name).join('、') })
}

const changeMenu = async (trx: Db, edit: MenuEdit, caller: Caller): Promise<true> => {
  await lockMenuTree(trx)
  const before = await lockMenu(trx, edit.id)
  await checkVersion(edit.version, before, () => currentMenu(trx, edit.id))
  const { status, ...columns } = changedColumns(edit)
  const next = { ...before, ...columns }
  const shape = shaped(next.type, next.path)
  await checkEdit(trx, before, { ...next, ...shape }, caller)
  const change = () =>
    trx
      .updateTable('menu')
      .set({ ...columns, ...shape, ...(status !== undefined && { enabled: status }), ...updateStamp(caller) })
      .where('id', '=', edit.id)
      .execute()
  if (next.permission !== before.permission) await keepBuiltIn(trx, edit.id)
  await changeKeepingPathsUnique(trx, () => changeKeepingMenusEditable(trx, before, change))
  const after = await trx.selectFrom('menu').selectAll().where('id', '=', edit.id).executeTakeFirstOrThrow()
  await recorded(trx, caller, { action: 'update', id: edit.id, before, after })
  return true
}

export const updateMenu = (db: Db, edit: MenuEdit, caller: Caller): Promise<true> =>
  runEdit(db, 'all', (trx) => changeMenu(trx, edit, caller))

/** A path at the top level begins with a slash and one below does not; a move keeps the rest. */
const pathAt = (parentId: number | null, { type, path }: Row<'menu'>) =>
  type === 'BUTTON' || !path || elsewhere.test(path)
    ? path
    : `${parentId === null ? '/' : ''}${path.replace(/^\/+/, '')}`

/** Moves an entry in the tree; the entries it passes only change their order. */
export const moveMenu = (db: Db, { id, parentId, beforeId, version }: Move, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    await lockMenuTree(trx)
    const menu = await lockMenu(trx, id)
    const siblings = await listSiblings(trx, 'menu', { id, parentId })
    const places = new Map(reorderedSiblings(siblings, menu, beforeId).map((place) => [place.id, place.sort]))
    const sort = places.get(id) ?? menu.sort
    await changeMenu(trx, { id, version, parentId, sort, path: pathAt(parentId, menu) }, caller)
    await saveSiblingOrder(trx, 'menu', { siblings, places, who: caller })
    return true
  })

/** Removes the entry from every role that had it; the audit keeps which. */
export const deleteMenu = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    await lockMenuTree(trx)
    const before = await lockMenu(trx, id)
    await assertMayGrantMenus(trx, caller.actor, [before])
    const ticked = await trx.selectFrom('roleMenu').select('roleId').where('menuId', '=', id).execute()
    await keepBuiltIn(trx, id)
    await changeKeepingMenusEditable(trx, before, () => trx.deleteFrom('menu').where('id', '=', id).execute())
    const roleIds = ticked.map(({ roleId }) => roleId)
    await recorded(trx, caller, { action: 'delete', id, before: { ...before, roleIds } })
    return true
  })
