import { sql } from 'kysely'
import { test } from 'vitest'
import { makeDept, makeUser } from '../apps/server/seed/fixtures.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { closed, drawer, row, save, runRowAction } from './page-actions.ts'

const { site, world, visit, all } = browserTest({ language: 'en', theme: 'light' })

test('finds a leader by name among more users than one list shows, and displays the name in both places', async () => {
  const { id: deptId } = await makeDept(site().db, { name: '人多的科室' })
  await sql`
    insert into users (username, nickname, dept_id)
    select 'many' || n, '众人' || n, ${deptId} from generate_series(1, 10000) n`.execute(site().db)
  const last = await makeUser(site().db, { nickname: '龟年', deptId })
  const page = await visit(world().admin, '/system/dept')
  const leader = drawer(page).getByRole('combobox', { name: 'Leader' })
  const offered = page.locator('.ant-select-dropdown:visible')
  await runRowAction(page, '人多的科室', 'Edit')
  await leader.click()
  await offered.locator('.ant-select-item-option').first().waitFor()
  await leader.fill('龟')
  await offered.getByTitle('龟年 (人多的科室)').click()
  await save(page)
  await closed(page)
  await row(page, '人多的科室').getByText('龟年', { exact: true }).waitFor()
  await all().updateTable('users').set({ enabled: false }).where('id', '=', last.id).execute()
  await page.reload()
  await row(page, '人多的科室').getByText('龟年', { exact: true }).waitFor()
  await runRowAction(page, '人多的科室', 'Edit')
  await drawer(page).getByText('龟年 (人多的科室)').waitFor()
  await eventually(() => drawer(page).getByText('disabled or out of sight').count()).toBe(0)
})
