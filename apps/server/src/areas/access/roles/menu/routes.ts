import { MenuFormEdit, menusV1 } from '@tocsin/contract/compat/menu'
import { type MenuDraft, type MenuRow, menus } from '@tocsin/contract/access/rights/menu'
import type { Db } from '#db/db'
import { ValidationError } from '#http/business-error'
import { type Route, route, type Caller } from '#http/route'
import { permissionInfo } from '../../sign-in/permission-info.ts'
import { fieldError, editWithoutVersion } from '#areas/audit/edit-transaction'
import { createMenu, deleteMenu, moveMenu, updateMenu } from './change.ts'
import { getMenu, listEnabledMenus, menuList } from './read.ts'
import { toMenuTree, fromMenuForm as fieldsOfForm, toMenuForm, optionTree, toMenuRoutes } from './compat.ts'

const names: Record<string, string> = { path: 'routePath', permission: 'perm', componentName: 'routeName' }

/** Rejected fields under the names of the form. */
const inFormWords = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(
      error.errors.flatMap(({ field, rule }) => fieldError(MenuFormEdit, names[field] ?? field, rule).errors),
    )
  }
}

/** Component and query parameters are stored in one column. */
const COMPONENT_MAX = 200
const fieldsOf = (form: MenuFormEdit, before?: MenuRow) => {
  const fields = fieldsOfForm(form, before)
  if ((fields.component?.length ?? 0) > COMPONENT_MAX)
    throw fieldError(MenuFormEdit, 'params', 'tooLong', COMPONENT_MAX)
  return fields
}

const createByForm = (db: Db, form: MenuFormEdit & Pick<MenuDraft, 'name' | 'type' | 'parentId'>, caller: Caller) => {
  const { name, type, parentId, sort = 0 } = form
  return inFormWords(() => createMenu(db, { ...fieldsOf(form), name, type, parentId, sort }, caller))
}

const updateByForm = async (db: Db, id: number, { form, who }: { form: MenuFormEdit; who: Caller }) => {
  if (form.id !== undefined && form.id !== id) throw fieldError(MenuFormEdit, 'id', 'choice')
  await editWithoutVersion(
    () => getMenu(db, id),
    (before) => {
      const fields = fieldsOf(form, before)
      return inFormWords(() => updateMenu(db, { ...fields, id, version: before.version }, who))
    },
  )
  return null
}

export const menuRoutes = ({ db }: { db: Db }): Route[] => [
  route(menus.list, ({ query }) => menuList(db, query)),
  route(menus.simpleList, () => listEnabledMenus(db)),
  route(menus.get, ({ query }) => getMenu(db, query.id)),
  route(menus.create, ({ body, caller }) => createMenu(db, body, caller)),
  route(menus.update, ({ body, caller }) => updateMenu(db, body, caller)),
  route(menus.move, ({ body, caller }) => moveMenu(db, body, caller)),
  route(menus.delete, ({ query, caller }) => deleteMenu(db, query.id, caller)),
  route(menusV1.list, async ({ query }) => toMenuTree(await menuList(db, { name: query.keywords }))),
  route(menusV1.routes, async ({ actor }) => toMenuRoutes((await permissionInfo(db, actor)).menus)),
  route(menusV1.show, async ({ params: { id }, query: { visible }, caller }) => {
    await updateMenu(db, { id, visible }, caller)
    return null
  }),
  route(menusV1.options, async ({ query }) => optionTree(await listEnabledMenus(db), query.onlyParent ?? false)),
  route(menusV1.form, async ({ params }) => toMenuForm(await getMenu(db, params.id))),
  route(menusV1.create, ({ body, caller }) => createByForm(db, body, caller)),
  route(menusV1.update, ({ params, body, caller }) => updateByForm(db, params.id, { form: body, who: caller })),
  route(menusV1.delete, async ({ params, caller }) => {
    await deleteMenu(db, params.id, caller)
    return null
  }),
]
