import { MenuFormEdit, menusV1 } from '@tocsin/contract/compat/menu'
import { type MenuDraft, menus } from '@tocsin/contract/system/menu'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { badField, type Who } from '../edit.ts'
import { createMenu, deleteMenu, updateMenu } from './change.ts'
import { getMenu, liveMenus, menuList } from './read.ts'
import { fieldsOf, formOf, optionTree } from './v1.ts'

const createByForm = (db: Db, form: MenuFormEdit & Pick<MenuDraft, 'name' | 'type' | 'parentId'>, who: Who) => {
  const { name, type, parentId, sort = 0 } = form
  return createMenu(db, { ...fieldsOf(form), name, type, parentId, sort }, who)
}

const updateByForm = async (db: Db, id: number, { form, who }: { form: MenuFormEdit; who: Who }) => {
  if (form.id !== undefined && form.id !== id) throw badField(MenuFormEdit, 'id', 'choice')
  await updateMenu(db, { ...fieldsOf(form, await getMenu(db, id)), id }, who)
  return null
}

export const menuRoutes = ({ db }: { db: Db }): Route[] => [
  route(menus.list, ({ query }) => menuList(db, query)),
  route(menus.simpleList, () => liveMenus(db)),
  route(menus.get, ({ query }) => getMenu(db, query.id)),
  route(menus.create, ({ body, actor, origin }) => createMenu(db, body, { actor, origin })),
  route(menus.update, ({ body, actor, origin }) => updateMenu(db, body, { actor, origin })),
  route(menus.delete, ({ query, actor, origin }) => deleteMenu(db, query.id, { actor, origin })),
  route(menusV1.options, async ({ query }) => optionTree(await liveMenus(db), query.onlyParent ?? false)),
  route(menusV1.form, async ({ params }) => formOf(await getMenu(db, params.id))),
  route(menusV1.create, ({ body, actor, origin }) => createByForm(db, body, { actor, origin })),
  route(menusV1.update, ({ params, body, actor, origin }) =>
    updateByForm(db, params.id, { form: body, who: { actor, origin } }),
  ),
  route(menusV1.delete, async ({ params, actor, origin }) => {
    await deleteMenu(db, params.id, { actor, origin })
    return null
  }),
]
