import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { escalate } from '../apps/server/src/areas/alarm/verb/handle.ts'
import { createFromAlarm } from '../apps/server/src/areas/police/situation/create.ts'
import { browserTest, eventually } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { carWithOfficer } from './story.ts'

const own = browserTest({ language: 'zh-cn', theme: 'light' })
const { site, world, visit, all } = own

/** The school hands an alarm to the police. */
const handOver = async (placePath: string) => {
  const { east, lead } = world()
  createFromAlarm()
  const draft = { deptId: east.deptId, schoolId: east.id, schoolName: EAST_SCHOOL, placePath }
  const record = await makeRecord(site().db, { ...draft, level: 2, state: 'HANDLING', ownerId: lead.id })
  const rights = { depts: 'all', schools: 'all', permissions: new Set(['warn:record:escalate']) } as const
  const actor = { userId: lead.id, sessionId: 1, deptId: east.deptId, username: 'lead', nickname: lead.nickname }
  await escalate(site().db, { ...actor, ...rights }, { ...record, reason: '打架' })
}

/** In the open dialog: the key 1 chooses the car. */
const sendFirstUnit = async (desk: Page) => {
  const car = desk.getByRole('checkbox', { name: /一号车/ })
  await car.waitFor()
  await desk.keyboard.press('1')
  await eventually(() => car.isChecked()).toBe(true)
  await desk
    .getByRole('dialog')
    .getByRole('button', { name: /^派\s*警$/ })
    .click()
  await desk.getByRole('dialog').waitFor({ state: 'hidden' })
}

test('the desk claims by keys, sends a car by keys, and reports each step of it by a key', async () => {
  await carWithOfficer(own)
  const desk = await visit(world().station, '/police/desk')
  await desk.getByText('没有未结束的警单').waitFor()
  await handOver('3 号楼 102')
  await desk.getByRole('button', { name: /3 号楼 102/ }).click()
  await desk.keyboard.press('c')
  await desk.getByText('待派警').first().waitFor()
  await desk.keyboard.press('d')
  await sendFirstUnit(desk)
  for (const [key, shown] of [
    ['s', '已签收'],
    ['g', '途中'],
    ['h', '已到场'],
  ] as const) {
    await desk.keyboard.press(key)
    await desk.locator('[data-unit]').getByText(shown, { exact: true }).waitFor()
  }
  const milestones = () =>
    all().selectFrom('policeSituation').select(['state', 'signedAt', 'departedAt', 'arrivedAt']).execute()
  const time = expect.any(Date)
  const allTimes = { signedAt: time, departedAt: time, arrivedAt: time }
  await eventually(milestones).toEqual([{ state: 'IN_PROGRESS', ...allTimes }])
})
