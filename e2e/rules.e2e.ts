import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { soon, stage } from './stage/stage.ts'
import { button, choose, row } from './words.ts'

const { site, world, visit, allow } = stage({ language: 'zh-cn', theme: 'light' })
const RULES = '/warn/list'

const rulesNamed = (name: string) => site().db.selectFrom('warnRule').selectAll().where('name', '=', name).execute()

const form = (page: Page) => page.getByRole('dialog').filter({ has: page.getByLabel('匹配代码') })
const save = (page: Page) => button(form(page), '保存').click()

const openNew = async (page: Page) => {
  await button(page, '新增').click()
  await form(page).waitFor()
}

const fillIn = async (page: Page, name: string, code: string) => {
  await form(page).getByLabel('规则名称').fill(name)
  await form(page).getByLabel('匹配代码').fill(code)
  await form(page).getByLabel('匹配代码').press('Enter')
  await form(page).getByLabel('规则名称').click()
}

const find = async (page: Page, name: string) => {
  await page.getByRole('textbox', { name: '规则名称' }).fill(name)
  await button(page, '搜索').click()
}

test('bad input is refused at the field it concerns, and nothing is written', async () => {
  const page = await visit(world().admin, RULES)
  await openNew(page)
  await save(page)
  await form(page).getByText('规则名称不能为空').waitFor()
  await form(page).getByText('匹配代码不能为空').waitFor()

  await fillIn(page, '坏规则', 'lower case')
  await form(page).getByLabel('优先级').fill('5000')
  await save(page)
  await form(page).getByText('匹配代码格式不正确').waitFor()
  await form(page).getByText('优先级不能大于 1000').waitFor()

  await choose(page, form(page).getByLabel('条件'), '时长内重复')
  await form(page).getByLabel('优先级').fill('100')
  await button(form(page), '取消').click()
  await button(page.getByRole('dialog', { name: '有未保存的修改，确定放弃？' }), '确定').click()
  await form(page).waitFor({ state: 'hidden' })
  await soon(() => rulesNamed('坏规则')).toEqual([])
})

test('a rule is created, found, changed and deleted', async () => {
  const page = await visit(world().admin, RULES)
  const name = '宿舍夜间报警'
  await openNew(page)
  await fillIn(page, name, 'NIGHT_PRESS')
  await choose(page, form(page).getByLabel('条件'), '时长内重复')
  await save(page)
  await form(page).getByText('请填写重复次数和时长').first().waitFor()
  await form(page).getByLabel('重复次数').fill('2')
  await form(page).getByLabel('时长（秒）', { exact: true }).fill('10')
  await save(page)
  await page.getByText('新增成功').waitFor()

  await find(page, name)
  await row(page, name).getByText('一级').waitFor()
  await soon(() => rulesNamed(name)).toMatchObject([{ condition: 'REPEAT', repeatCount: 2, withinSec: 10, level: 1 }])

  await button(row(page, name), '编辑').click()
  await choose(page, form(page).getByLabel('级别'), '三级')
  await save(page)
  await page.getByText('修改成功').waitFor()
  await row(page, name).getByText('三级').waitFor()

  await button(row(page, name), '删除').click()
  await button(page.getByRole('dialog'), '确定').click()
  await page.getByText('删除成功').waitFor()
  await page.getByText('没有符合条件的数据').waitFor()
  await soon(() => rulesNamed(name)).toEqual([])
})

test('while a list is asked for anew, what was found before is marked as that', async () => {
  const page = await visit(world().admin, RULES)
  await row(page, '紧急报警').first().waitFor()
  const rows = page.locator('.list-rows')
  await soon(() => rows.getAttribute('aria-busy')).toBe('false')
  const answer = Promise.withResolvers<void>()
  await page.route('**/warn/rule/page*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await find(page, '医疗求助')
  await soon(() => rows.getAttribute('aria-busy')).toBe('true')
  await soon(() => rows.evaluate((one) => Number(getComputedStyle(one).opacity))).toBeLessThan(0.6)
  answer.resolve()
  await row(page, '紧急报警').first().waitFor({ state: 'hidden' })
  await soon(() => rows.getAttribute('aria-busy')).toBe('false')
  await soon(() => rows.evaluate((one) => Number(getComputedStyle(one).opacity))).toBe(1)
})

test('a name that exists is refused by the server and the form stays open with what was typed', async () => {
  allow(/rule\/create/)
  const page = await visit(world().admin, RULES)
  await openNew(page)
  await fillIn(page, '紧急报警', 'PANIC')
  await save(page)
  await page.getByText('规则名称已存在').first().waitFor()
  await soon(() => form(page).getByLabel('规则名称').inputValue()).toBe('紧急报警')
  await soon(() => rulesNamed('紧急报警')).toHaveLength(1)
})

test('who edits what somebody else changed meanwhile is told so, and overwrites it only when he says so', async () => {
  allow(/rule\/update/)
  const page = await visit(world().admin, `${RULES}?keyword=${encodeURIComponent('医疗求助')}`)
  await button(row(page, '医疗求助'), '编辑').click()
  await form(page).getByLabel('优先级').fill('300')
  await site()
    .db.updateTable('warnRule')
    .set((eb) => ({ priority: 200, version: eb('version', '+', 1) }))
    .where('name', '=', '医疗求助')
    .execute()
  await save(page)
  await form(page).getByText('您与对方都改动了：优先级。').waitFor()
  await soon(() => form(page).getByRole('spinbutton', { name: '对方的优先级' }).inputValue()).toBe('200')
  await soon(() => rulesNamed('医疗求助')).toMatchObject([{ priority: 200 }])
  await button(form(page), '以我的为准保存').click()
  await soon(() => rulesNamed('医疗求助')).toMatchObject([{ priority: 300 }])
})

test('fields that come with what somebody else chose show his values, not what was there before him', async () => {
  allow(/rule\/update/)
  const page = await visit(world().admin, `${RULES}?keyword=${encodeURIComponent('手动火警')}`)
  await button(row(page, '手动火警'), '编辑').click()
  await form(page).getByLabel('优先级').fill('400')
  await site()
    .db.updateTable('warnRule')
    .set((eb) => ({ condition: 'REPEAT', repeatCount: 3, withinSec: 60, version: eb('version', '+', 1) }))
    .where('name', '=', '手动火警')
    .execute()
  await save(page)
  await form(page).getByText('您没有改动的内容已换成最新的：条件、重复次数、时长（秒）。').waitFor()
  await save(page)
  await form(page).waitFor({ state: 'hidden' })
  const both = { priority: 400, condition: 'REPEAT', repeatCount: 3, withinSec: 60 }
  await soon(() => rulesNamed('手动火警')).toMatchObject([both])
})

test('who may only read rules has no button to change them, and no menu where he may not even read', async () => {
  const head = await visit(world().east.staff.head, RULES)
  await row(head, '紧急报警').first().waitFor()
  for (const words of ['新增', '编辑', '删除']) await soon(() => button(head, words).count()).toBe(0)
  const colour = (of: Locator) => of.evaluate((one) => getComputedStyle(one).color)
  const usual = await colour(head.getByRole('textbox', { name: '规则名称' }))
  await button(row(head, '紧急报警').first(), '详情').click()
  const read = form(head).getByLabel('规则名称')
  await soon(async () => [await read.isEditable(), await colour(read)]).toEqual([false, usual])

  const guard = await visit(world().east.staff.guard)
  await guard.getByRole('menu').getByText('预警').first().hover()
  await guard.getByRole('link', { name: '预警记录' }).waitFor()
  await soon(() => guard.getByRole('link', { name: '预警规则' }).count()).toBe(0)
  await guard.goto(RULES)
  await guard.getByText('抱歉，您访问的页面不存在。').waitFor()
  await soon(() => new URL(guard.url()).pathname).toBe('/404')
})
