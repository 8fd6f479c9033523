import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { REVEAL_CONTACTS_PERMISSION } from '../packages/contract/src/school/contact.ts'
import { alarmRow, detail, verb } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, type Person } from './setup/e2e-fixture.ts'
import { button, drawer, row } from './page-actions.ts'

// Whom to call at a school: who may see numbers has them to call, others know that there are some.

const { site, world, visit, all } = browserTest({ language: 'en', theme: 'light' })

const contacts = [
  { role: 'GUARD_ROOM', name: '门卫', phone: '027-5550111' },
  { role: 'SAFETY_OFFICER', name: '孙建国', phone: '13900000102' },
]
const fence = {
  type: 'Polygon' as const,
  coordinates: [[[114.39, 30.55] as [number, number], [114.394, 30.55], [114.394, 30.554], [114.39, 30.55]]] as [
    number,
    number,
  ][][],
}
beforeEach(async () => {
  const emergencyContacts = sql<never>`${JSON.stringify(contacts)}::jsonb`
  await all()
    .updateTable('school')
    .set({ emergencyContacts, geofence: fence })
    .where('id', '=', world().east.id)
    .execute()
})

const hidden = 'Numbers are hidden: you have no right to see them'

const schoolOf = async (person: Person) => {
  const page = await visit(person, '/school')
  await button(row(page, EAST_SCHOOL), 'Details').click()
  const found = drawer(page).getByRole('region', { name: 'Emergency contacts' })
  await found.getByText('孙建国').waitFor()
  return { page, found }
}

test('a school tells whom to call, in that order, and how its grounds lie', async () => {
  const { page, found } = await schoolOf(world().lead)
  await eventually(() => found.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Guard room\s*门卫\s*027-5550111/),
    expect.stringMatching(/Safety officer\s*孙建国\s*13900000102/),
  ])
  await eventually(() => found.getByRole('link', { name: '13900000102' }).getAttribute('href')).toBe('tel:13900000102')
  await eventually(() => found.getByText(hidden).count()).toBe(0)
  await drawer(page)
    .getByRole('img', { name: /^3 corners, about 8\.5 ha$/ })
    .waitFor()
})

test('numbers are hidden from who has no right to them, and he is told', async () => {
  const { found } = await schoolOf(world().bureau)
  await found.getByText('139****0102').waitFor()
  await found.getByText(hidden).waitFor()
  await eventually(() => found.getByRole('link').count()).toBe(0)
})

test('the desk has them beside an alarm, to call without a question, until the right to them is withdrawn', async () => {
  const { id: schoolId, deptId, staff } = world().east
  const ownerId = world().operator.id
  const given = { deptId, schoolId, schoolName: EAST_SCHOOL, room: '207室', level: 2 } as const
  await makeRecord(site().db, { ...given, state: 'HANDLING', ownerId })
  const opened = async (person: Person) => {
    const page = await visit(person, '/desk')
    await alarmRow(page, '207室').locator('.desk-row-open').click()
    return { page, found: detail(page).getByRole('list', { name: 'Emergency contacts' }) }
  }
  const guard = await opened(staff.guard)
  await guard.found.getByRole('link', { name: '027-5550111' }).waitFor()

  const { page, found } = await opened(world().operator)
  await verb(page, 'Note').click()
  await page.getByRole('region', { name: 'Note', exact: true }).getByRole('textbox').fill('正在联系门卫')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  const number = found.getByRole('link', { name: '027-5550111' })
  await number.click()
  await eventually(() => number.evaluate((link) => link === document.activeElement)).toBe(false)
  expect(asked).toEqual([])
  await page.close({ runBeforeUnload: true })
  await eventually(() => asked).toEqual(['beforeunload'])

  await all()
    .deleteFrom('roleMenu')
    .where('menuId', 'in', all().selectFrom('menu').select('id').where('permission', '=', REVEAL_CONTACTS_PERMISSION))
    .execute()
  await emitEvents(site().db, { type: 'permission.changed' })
  await found.getByText('027****0111').waitFor()
  await eventually(() => found.getByRole('link').count()).toBe(0)
})
