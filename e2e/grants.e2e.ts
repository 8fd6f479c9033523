import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { changePreferences, openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, selectOption, closed, drawer, save, confirmDialog, runRowAction } from './page-actions.ts'

// Roles in the form of a user, and the data scope in the form of a role.

const { site, world, visit, allow, all } = browserTest({ language: 'en', theme: 'dark' })

const USERS = '/system/user'
const ROLES = '/system/role'
const LIST_USERS = ['system:user:list', 'system:user:update', 'system:dept:query']

type Given = { dataScope?: 'ALL' | 'CUSTOM' | 'DEPT'; permissions?: string[] }
const makeRole = async (code: string, { dataScope = 'DEPT', permissions = [] }: Given = {}): Promise<number> => {
  const { id: roleId } = await all()
    .insertInto('role')
    .values({ code, name: code, dataScope })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menus = await all().selectFrom('menu').select(['id', 'permission']).execute()
  const ticked = menus.filter(({ permission }) => permission && permissions.includes(permission))
  if (ticked.length > 0)
    await all()
      .insertInto('roleMenu')
      .values(ticked.map(({ id }) => ({ roleId, menuId: id })))
      .execute()
  return roleId
}
const makeHolder = async (username: string, roleIds: readonly number[]) => {
  const user = await makeUser(site().db, { username, nickname: username, deptId: world().east.deptId })
  const values = roleIds.map((roleId) => ({ userId: user.id, roleId }))
  await all().insertInto('userRole').values(values).execute()
  return user
}
const heldBy = async (userId: number) => {
  const assigned = all().selectFrom('userRole').select('roleId').where('userId', '=', userId).orderBy('roleId')
  return (await assigned.execute()).map(({ roleId }) => roleId)
}
const userNow = (id: number) =>
  all().selectFrom('users').select(['nickname', 'version']).where('id', '=', id).executeTakeFirstOrThrow()
const roleNow = (code: string) =>
  all().selectFrom('role').select(['name', 'dataScope', 'version']).where('code', '=', code).executeTakeFirst()
const deptsOf = (roleId: number) =>
  all().selectFrom('roleDept').select('deptId').where('roleId', '=', roleId).orderBy('deptId').execute()

/** Returns the write requests of the page, without those of its session. */
const writes = (page: Page) => {
  const sent: { path: string; body: object }[] = []
  page.on('request', (request: Request) => {
    const path = new URL(request.url()).pathname.replace('/admin-api', '')
    if (request.method() !== 'GET' && /^\/system\/(user|role|permission)\/[\w-]+$/.test(path))
      sent.push({ path, body: request.postDataJSON() as object })
  })
  return sent
}
/** Opens another list and waits for it, because the list of users names roles as well. */
const openList = async (page: Page, name: 'Users' | 'Roles', path: string) => {
  await openInside(page, path)
  await eventually(() => page.title()).toContain(name)
}
const edit = async (page: Page, text: string) => {
  await runRowAction(page, text, 'Edit')
  await drawer(page).locator('form').waitFor()
}
const roles = (page: Page) => drawer(page).locator('.ant-form-item:has(label[title="Roles"])')
const scope = (page: Page) => drawer(page).locator('.ant-form-item:has(label[title="Data scope"])')
const chosen = (page: Page) => roles(page).locator('.ant-select-selection-item-content').allInnerTexts()
const add = async (page: Page, name: string) => {
  const field = drawer(page).getByRole('combobox', { name: 'Roles' })
  await field.fill(name)
  await selectOption(page, field, name)
  await page.keyboard.press('Escape')
}
const take = (page: Page, name: string) =>
  roles(page)
    .locator('.ant-select-selection-item')
    .filter({ hasText: name })
    .locator('.ant-select-selection-item-remove')
    .click()
const box = (page: Page, name: string) =>
  drawer(page).getByRole('treeitem').filter({ hasText: name }).locator('.ant-tree-checkbox').first()

/** Another user granted a role during the edit: it is merged, and can be removed at once. */
const mergeGrantedRole = async (page: Page, first: number, second: number) => {
  allow(/user\/update/)
  const user = await makeHolder('given.meanwhile', [first])
  await openList(page, 'Users', `${USERS}?username=${user.username}`)
  await edit(page, user.username)
  await drawer(page).getByLabel('Remark').fill('Mine')
  await all().insertInto('userRole').values({ userId: user.id, roleId: second }).execute()
  await all().updateTable('users').set({ version: 9 }).where('id', '=', user.id).execute()
  await save(page)
  await drawer(page).getByText('What you had not touched now shows what was saved: Roles.').waitFor()
  await eventually(() => chosen(page)).toEqual(['given_first', 'given_meanwhile'])
  await take(page, 'given_meanwhile')
  await save(page)
  await closed(page)
  await eventually(() => heldBy(user.id)).toEqual([first])
  await eventually(() => userNow(user.id)).toMatchObject({ version: 10 })
}

/** Another user changed the scope during the edit: it is merged, or shown beside the own choice. */
const mergeChangedScope = async (page: Page) => {
  allow(/role\/update/)
  const roleId = await makeRole('changed_meanwhile')
  await openList(page, 'Roles', `${ROLES}?code=changed_meanwhile`)
  const meanwhile = (dataScope: 'ALL' | 'SELF', version: number) =>
    all().updateTable('role').set({ dataScope, version }).where('id', '=', roleId).execute()
  await edit(page, 'changed_meanwhile')
  await drawer(page).getByLabel('Remark').fill('Mine')
  await meanwhile('ALL', 8)
  await save(page)
  await drawer(page).getByText('What you had not touched now shows what was saved: Data scope.').waitFor()
  await selectOption(page, drawer(page).getByRole('combobox', { name: 'Data scope' }), 'Own department')
  await meanwhile('SELF', 9)
  await save(page)
  await drawer(page).getByText('Changed by both of you: Data scope.').waitFor()
  await save(page, 'Save mine')
  await closed(page)
  await eventually(() => roleNow('changed_meanwhile')).toMatchObject({ dataScope: 'DEPT', version: 10 })
}

test("saves roles and other fields of a user in one call, updates the user's open screens, and merges roles granted meanwhile", async () => {
  const departments = await makeRole('sees_departments', { permissions: ['system:dept:query'] })
  const [first, second] = [await makeRole('given_first'), await makeRole('given_meanwhile')]
  const records = await makeRole('sees_dictionaries', { permissions: ['system:dict:query'] })
  const user = await makeHolder('both.at.once', [departments])
  const userPage = await visit(user, '/profile')
  await changePreferences(userPage, { layout: 'left' })
  await userPage.getByRole('menuitem', { name: 'Administration' }).click()
  await userPage.getByRole('menuitem', { name: 'Departments' }).waitFor()
  const page = await visit(world().admin, `${USERS}?username=${user.username}`)
  const sent = writes(page)
  await edit(page, user.username)
  await eventually(() => chosen(page)).toEqual(['sees_departments'])
  await take(page, 'sees_departments')
  await add(page, 'sees_dictionaries')
  await drawer(page).getByLabel('Name', { exact: true }).fill('Renamed too')
  await button(drawer(page), 'Cancel').click()
  await page.getByRole('dialog', { name: 'Discard what you changed?' }).waitFor()
  await page.keyboard.press('Escape')
  await save(page)
  await closed(page)
  expect(sent).toMatchObject([{ path: '/system/user/update', body: { id: user.id, roleIds: [records] } }])
  await eventually(() => heldBy(user.id)).toEqual([records])
  await eventually(() => userNow(user.id)).toEqual({ nickname: 'Renamed too', version: 2 })
  await userPage.getByRole('menuitem', { name: 'Dictionaries' }).waitFor()
  await userPage.getByRole('menuitem', { name: 'Departments' }).waitFor({ state: 'hidden' })

  await edit(page, user.username)
  await eventually(() => chosen(page)).toEqual(['sees_dictionaries'])
  await drawer(page).getByLabel('Remark').fill('Nothing about roles')
  await save(page)
  await closed(page)
  expect(sent).toHaveLength(2)
  expect(sent[1]?.body).not.toHaveProperty('roleIds')
  await eventually(() => heldBy(user.id)).toEqual([records])
  await mergeGrantedRole(page, first, second)
})

test('starts a role with the own department, edits its scope, saves both as one version, and merges a scope changed by another user', async () => {
  const page = await visit(world().admin, `${ROLES}?code=patrol`)
  const sent = writes(page)
  await button(page, 'New').click()
  await scope(page).getByText('Own department', { exact: true }).waitFor()
  await drawer(page).getByLabel('Role name').fill('Patrol')
  await drawer(page).getByLabel('Role code').fill('patrol')
  await selectOption(page, drawer(page).getByRole('combobox', { name: 'Data scope' }), 'Own data only')
  await save(page)
  await closed(page)
  await eventually(() => roleNow('patrol')).toEqual({ name: 'Patrol', dataScope: 'SELF', version: 1 })

  await edit(page, 'patrol')
  await drawer(page).getByLabel('Role name').fill('Patrol of the east')
  await selectOption(page, drawer(page).getByRole('combobox', { name: 'Data scope' }), 'Chosen departments')
  await save(page)
  await drawer(page).getByText('Choose at least one department').waitFor()
  await drawer(page).getByRole('switch', { name: 'With those below' }).click()
  await box(page, '东湖派出所').click()
  await save(page)
  await closed(page)
  await eventually(() => roleNow('patrol')).toEqual({ name: 'Patrol of the east', dataScope: 'CUSTOM', version: 2 })
  const { id } = await all().selectFrom('role').select('id').where('code', '=', 'patrol').executeTakeFirstOrThrow()
  await eventually(() => deptsOf(id)).toHaveLength(1)
  expect(sent.map(({ path }) => path)).toEqual(['/system/role/create', '/system/role/update'])
  await mergeChangedScope(page)
})

test("hides a user's roles and shows a role's scope when the user may not assign them, and edits the other fields", async () => {
  const permissions = [...LIST_USERS, 'system:role:query', 'system:role:create', 'system:role:update']
  const editor = await makeHolder('mere.editor', [await makeRole('mere_editor', { dataScope: 'ALL', permissions })])
  const plain = await makeRole('plain_role')
  const user = await makeHolder('plain.user', [plain])
  const page = await visit(editor, `${USERS}?username=${user.username}`)
  const sent = writes(page)
  await edit(page, user.username)
  await eventually(() => roles(page).count()).toBe(0)
  await drawer(page).getByLabel('Remark').fill('By an editor')
  await save(page)
  await closed(page)
  await eventually(() => userNow(user.id)).toMatchObject({ version: 2 })
  await eventually(() => heldBy(user.id)).toEqual([plain])

  const roleId = await makeRole('chosen_role', { dataScope: 'CUSTOM' })
  const { deptId } = world().east
  await all().insertInto('roleDept').values({ roleId, deptId }).execute()
  await openList(page, 'Roles', `${ROLES}?code=chosen_role`)
  await edit(page, 'chosen_role')
  await scope(page).getByText('Chosen departments', { exact: true }).waitFor()
  await scope(page).getByText('you do not have the right to assign data scopes').waitFor()
  await eventually(() => drawer(page).getByRole('combobox', { name: 'Data scope' }).isDisabled()).toBe(true)
  await eventually(() => drawer(page).locator('.ant-tree-checkbox-checked.ant-tree-checkbox-disabled').count()).toBe(1)
  await eventually(() => drawer(page).locator('.ant-tree-checkbox:not(.ant-tree-checkbox-disabled)').count()).toBe(0)
  await drawer(page).getByLabel('Remark').fill('By an editor')
  await save(page)
  await closed(page)
  await button(page, 'New').click()
  await scope(page).getByText('Own department', { exact: true }).waitFor()
  await eventually(() => drawer(page).getByRole('combobox', { name: 'Data scope' }).isDisabled()).toBe(true)
  await drawer(page).getByLabel('Role name').fill('By an editor')
  await drawer(page).getByLabel('Role code').fill('by_editor')
  await save(page)
  await closed(page)
  await eventually(() => roleNow('by_editor')).toMatchObject({ dataScope: 'DEPT' })
  await eventually(() => roleNow('chosen_role')).toMatchObject({ dataScope: 'CUSTOM', version: 2 })
  await eventually(() => deptsOf(roleId)).toEqual([{ deptId }])
  for (const { body } of sent)
    for (const name of ['roleIds', 'dataScope', 'dataScopeDeptIds']) expect(body).not.toHaveProperty(name)
})

test("rejects a grant beyond the granter's rights at its field, and saves nothing of the form", async () => {
  allow(/(user|role)\/update/)
  const permissions = [
    ...LIST_USERS,
    'system:permission:assign-user-role',
    'system:role:query',
    'system:role:update',
    'system:permission:assign-role-data-scope',
  ]
  const giver = await makeHolder('local.giver', [await makeRole('local_giver', { permissions })])
  const small = await makeRole('small_role')
  const user = await makeHolder('small.user', [small])
  const page = await visit(giver, `${USERS}?username=${user.username}`)
  await edit(page, user.username)
  await drawer(page).getByLabel('Remark').fill('Too much')
  await add(page, 'System administrator')
  await save(page)
  await roles(page).locator('.ant-form-item-explain-error').waitFor()
  await button(drawer(page), 'Cancel').click()
  await confirmDialog(page)
  await closed(page)

  await openList(page, 'Roles', `${ROLES}?code=small_role`)
  await edit(page, 'small_role')
  await drawer(page).getByLabel('Role name').fill('Too much')
  await selectOption(page, drawer(page).getByRole('combobox', { name: 'Data scope' }), 'All data')
  await save(page)
  await scope(page).locator('.ant-form-item-explain-error').waitFor()
  await eventually(() => heldBy(user.id)).toEqual([small])
  await eventually(() => userNow(user.id)).toMatchObject({ version: 1 })
  await eventually(() => roleNow('small_role')).toEqual({ name: 'small_role', dataScope: 'DEPT', version: 1 })
})

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

test('fits both forms on a phone with many roles and a long tree', async () => {
  const roleIds: number[] = []
  for (let at = 0; at < 12; at += 1) roleIds.push(await makeRole(`a_role_with_a_long_name_${at}`))
  const user = await makeHolder('many.roles', roleIds)
  const page = await visit(world().admin, `${USERS}?username=${user.username}`, phone)
  const open = () => button(page, 'Edit').tap()
  const fits = async () => {
    const overhang = (of: string) =>
      page.evaluate((text) => {
        const part = document.querySelector(text)
        return part ? part.scrollWidth - part.clientWidth : undefined
      }, of)
    for (const part of ['html', '.ant-drawer-body']) await eventually(() => overhang(part)).toBe(0)
  }
  await open()
  await eventually(() => chosen(page)).toHaveLength(12)
  await fits()
  await openList(page, 'Roles', `${ROLES}?code=${encodeURIComponent('a_role_with_a_long_name_11')}`)
  await open()
  await drawer(page).getByRole('combobox', { name: 'Data scope' }).tap()
  await page.locator('.ant-select-dropdown:visible').getByTitle('Chosen departments', { exact: true }).tap()
  await box(page, '东湖区教育局').waitFor()
  await fits()
})
