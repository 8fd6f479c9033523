import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deptByCode, makeUser } from '../apps/server/seed/make.ts'
import { soon, stage } from './stage/stage.ts'
import { EAST, WEST } from './stage/world.ts'
import { button, drawer, row, save, SETTLED } from './words.ts'

const { site, world, visit, allow, all } = stage({ language: 'zh-cn', theme: 'light' })

const MERCHANTS = '/system/merchant-user'

const create = async (page: Page, username: string, nickname: string) => {
  await button(page, '新增').first().click()
  await drawer(page).getByLabel('用户名称').fill(username)
  await drawer(page).getByLabel('用户昵称').fill(nickname)
}

const handOver = async (page: Page) => {
  // Not while it still grows: the press would miss.
  await button(page.locator(SETTLED), '已记下').click()
  await page.locator('.ant-modal:visible').waitFor({ state: 'hidden' })
}

const download = async (page: Page) => {
  await button(page, '导出').click()
  await page.getByRole('menuitem', { name: 'csv' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page.locator(SETTLED), '确定').click()])
  expect(file.suggestedFilename()).toBe('学校账号.csv')
  return readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
}

test('a head of school opens accounts for his own school, finds and exports them, contact data masked', async () => {
  allow(/merchant-user\/create/)
  const page = await visit(world().east.staff.head, MERCHANTS)
  await page.getByText('还没有学校账号').waitFor()
  await create(page, 'guard.east', '张敏')
  await drawer(page).getByText(EAST, { exact: true }).waitFor()
  await drawer(page).getByLabel('手机号码').fill('12')
  await save(page)
  await drawer(page).getByText('手机号码格式不正确').waitFor()
  await drawer(page).getByLabel('手机号码').fill('13900020003')
  await save(page)
  await drawer(page).locator('.ant-form-item-explain-error').getByText('用户账号已经存在').waitFor()
  await drawer(page).getByLabel('用户名称').fill('zhang.min')
  await drawer(page).getByLabel('职务').fill('德育主任')
  const password = await drawer(page).getByLabel('用户密码').inputValue()
  await save(page)
  await page.locator('.ant-modal:visible').getByText(password).waitFor()
  await handOver(page)
  await row(page, 'zhang.min').getByText('139****0003').waitFor()
  const made = await all()
    .selectFrom('users')
    .innerJoin('merchantProfile', 'merchantProfile.userId', 'users.id')
    .select(['users.type', 'users.deptId', 'users.mustChangePassword', 'merchantProfile.schoolId'])
    .where('username', '=', 'zhang.min')
    .execute()
  const { id: schoolId, deptId } = world().east
  expect(made).toEqual([{ type: 'SCHOOL', deptId, mustChangePassword: true, schoolId }])

  await create(page, 'li.qiang', '李强')
  await save(page)
  await handOver(page)
  await page.getByRole('textbox', { name: '用户名称' }).fill('zhang')
  await button(page, '搜索').click()
  await row(page, 'li.qiang').waitFor({ state: 'hidden' })
  const lines = await download(page)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('"zhang.min","张敏"')
  expect(lines[1]).toContain('"139****0003"')
  await button(row(page, 'zhang.min'), '详情').click()
  await drawer(page).getByText('德育主任').waitFor()
  const audited = await all()
    .selectFrom('auditLog')
    .select('username')
    .where('action', '=', 'bully:merchant-user:export')
    .execute()
  expect(audited).toEqual([{ username: 'head.east' }])
})

test('accounts of another school are seen neither in the list nor in the export', async () => {
  const page = await visit(world().west.staff.head, MERCHANTS)
  await page.getByText('还没有学校账号').waitFor()
  expect(await download(page)).toHaveLength(1)
  const bureau = await visit(world().bureau, `${MERCHANTS}?schoolId=${world().east.id}`)
  await row(bureau, 'zhang.min').getByText(EAST).waitFor()
  await button(bureau, '新增').first().click()
  await drawer(bureau).getByRole('combobox', { name: '学校' }).click()
  await soon(() => bureau.locator('.ant-select-dropdown:visible').getByTitle(WEST).count()).toBe(0)
})

test('who may only read has no button to create, and sees the menu entry', async () => {
  const deptId = await deptByCode(site().db, 'OPERATOR')
  const { id } = await makeUser(site().db, { username: 'auditor', nickname: '审计 韩', roles: ['auditor'], deptId })
  const page = await visit({ id, username: 'auditor', nickname: '审计 韩' }, MERCHANTS, {
    viewport: { width: 390, height: 844 },
  })
  await page.getByText('zhang.min').waitFor()
  await soon(() => button(page, '新增').count()).toBe(0)
  await button(page, '菜单').click()
  await page.getByRole('menu').getByText('学校账号').waitFor()
})
