import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { unscoped } from '../apps/server/src/db/scope.ts'
import { alarmRow, clearDesks } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'

// Visibility that changes while a user looks at the data.

const { site, world, visit, devices, all } = browserTest({ language: 'zh-cn', theme: 'light' })

/** A user who sees all schools by a role of their own. */
const seesAll = async () => {
  const { id: roleId } = await all()
    .insertInto('role')
    .values({ code: 'watcher', name: '警情查看', dataScope: 'ALL' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const assigned = await all()
    .selectFrom('roleMenu')
    .innerJoin('role', 'role.id', 'roleMenu.roleId')
    .select('menuId')
    .distinct()
    .where('role.code', 'in', ['safety_officer', 'maintainer'])
    .execute()
  await all()
    .insertInto('roleMenu')
    .values(assigned.map(({ menuId }) => ({ roleId, menuId })))
    .execute()
  const user = await makeUser(site().db, { username: 'watcher', nickname: '查看 程', deptId: world().east.deptId })
  await all().insertInto('userRole').values({ userId: user.id, roleId }).execute()
  return { user, roleId }
}

const shows = (page: Page, words: string) => page.getByRole('cell', { name: words }).first().waitFor()
const hides = (page: Page, words: string) => eventually(() => page.getByText(words).count()).toBe(0)

test('removes rows of other schools from open screens when a role is narrowed', async () => {
  await clearDesks(site())
  const { user, roleId } = await seesAll()
  const both = [...world().east.devices, ...world().west.devices]
  const fleet = await devices({ devices: both })
  fleet.press('EAST-0001')
  fleet.press('WEST-0002')
  const desk = await visit(user, '/warn/desk')
  for (const room of ['101室', '102室']) await alarmRow(desk, room).waitFor()
  const others = await Promise.all(['/warn/record', '/warn/warnLog', '/device/device'].map((path) => visit(user, path)))
  const [records, log, registered] = others as [Page, Page, Page]
  for (const page of [records, log]) for (const name of [EAST_SCHOOL, WEST_SCHOOL]) await shows(page, name)
  for (const sn of ['EAST-0001', 'WEST-0001']) await shows(registered, sn)
  for (const page of [desk, ...others]) await page.getByText('实时', { exact: true }).waitFor()

  await site()
    .db.transaction()
    .execute(async (trx) => {
      await unscoped(trx, 'e2e').updateTable('role').set({ dataScope: 'DEPT' }).where('id', '=', roleId).execute()
      await emitEvents(trx, { type: 'permission.changed', ref: roleId })
    })
  await alarmRow(desk, '102室').waitFor({ state: 'hidden' })
  await alarmRow(desk, '101室').waitFor()
  for (const page of [records, log]) {
    await hides(page, WEST_SCHOOL)
    await shows(page, EAST_SCHOOL)
  }
  await hides(registered, 'WEST-0001')
  await shows(registered, 'EAST-0001')
})

test('replaces the list by 403 when its rows may no longer be read', async () => {
  const { head } = world().east.staff
  await makeRecord(site().db, { deptId: world().east.deptId, schoolId: world().east.id, schoolName: EAST_SCHOOL })
  const page = await visit(head, '/warn/record')
  await shows(page, EAST_SCHOOL)
  await page.getByText('实时', { exact: true }).waitFor()
  await page.route('**/warn/record/page*', (route) =>
    route.fulfill({ json: { code: 403, msg: '没有该操作权限', data: null } }),
  )
  await emitEvents(site().db, { type: 'permission.changed', userId: head.id })
  await page.locator('#content').getByText('403', { exact: true }).waitFor()
  await eventually(() => page.getByRole('cell', { name: EAST_SCHOOL }).count()).toBe(0)
})
