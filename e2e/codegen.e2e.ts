import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { unreached } from './reach.ts'
import { soon, stage } from './stage/stage.ts'
import { button, closed, drawer, row, save, SETTLED } from './words.ts'

const { visit, world, all, allow } = stage()

test('a table is imported, described, looked at file by file, downloaded and forgotten', async () => {
  const page = await visit(world().admin, '/system/codegen')
  await button(page, '导入').first().click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByRole('checkbox', { name: 'dict_type', exact: true }).check()
  await dialog.getByRole('button', { name: '导入（1）' }).click()
  await page.getByText('已导入 1 张表').waitFor()

  await button(row(page, 'dict_type'), '编辑').click()
  await drawer(page).getByLabel('中文名称', { exact: true }).first().fill('')
  await button(drawer(page), '保存').click()
  await drawer(page).getByText('中文名称不能为空').waitFor()
  await drawer(page).getByLabel('中文名称', { exact: true }).first().fill('词表')
  await drawer(page).getByLabel('实体名').fill('wordList')
  await drawer(page).getByRole('tab', { name: '字段信息' }).click()
  await drawer(page).getByLabel('name: 中文名称').fill('词表名称')
  await button(drawer(page), '保存').click()
  await page.getByText('修改成功').waitFor()
  await row(page, '词表').waitFor()

  await button(row(page, 'dict_type'), '预览').click()
  await drawer(page).locator('.cm-line').getByText('npm run openapi').first().waitFor()
  await soon(() => unreached(page, '.ant-drawer-content-wrapper')).toEqual([])
  const shown = drawer(page).locator('.cm-content')
  const name = await shown.getAttribute('aria-label')
  await drawer(page).getByRole('tree').focus()
  for (let at = 0; at < 40 && (await shown.getAttribute('aria-label')) === name; at += 1) {
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
  }
  await soon(() => shown.getAttribute('aria-label')).not.toBe(name)
  await drawer(page).getByRole('tree').getByText('word-list.ts', { exact: true }).first().click()
  await drawer(page).locator('.cm-line').getByText("field(z.string(), '词表名称', 'Name')").first().waitFor()
  await drawer(page).getByRole('tree').getByText('WordListPage.tsx').click()
  await drawer(page).locator('.cm-content[aria-label$="WordListPage.tsx"]').waitFor()
  const download = page.waitForEvent('download')
  await button(drawer(page), '下载').click()
  expect((await download).suggestedFilename()).toBe('codegen-WordList.zip')
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'hidden' })

  await button(row(page, 'dict_type'), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('同步', { exact: true }).click()
  await page.getByText('表结构没有变化，不需要同步').waitFor()
  await button(page.locator('.ant-modal:visible'), '取消').click()
  await button(row(page, 'dict_type'), '更多').click()
  await page.locator('.ant-dropdown:visible').getByText('删除', { exact: true }).click()
  await button(page.locator(SETTLED), '确定').click()
  await page.getByText('删除成功').waitFor()
  await soon(() => all().selectFrom('codegenTable').select('id').execute()).toEqual([])
})

test('whole columns of settings are ticked at once, an entry goes under any directory, and several tables come in one zip', async () => {
  const page = await visit(world().admin, '/system/codegen')
  await button(page, '导入').first().click()
  const dialog = page.locator('.ant-modal:visible')
  for (const name of ['notice', 'dict_type']) await dialog.getByRole('checkbox', { name, exact: true }).check()
  await dialog.getByRole('button', { name: '导入（2）' }).click()
  await page.getByText('已导入 2 张表').waitFor()

  await button(row(page, 'dict_type'), '编辑').click()
  await drawer(page).getByLabel('上级菜单').click()
  await page.locator('.ant-select-dropdown:visible').getByText('再下一级', { exact: true }).click()
  await drawer(page).getByRole('tab', { name: '字段信息' }).click()
  const turn = async (flag: string, on: boolean) => {
    const every = drawer(page).getByRole('checkbox', { name: `全部字段: ${flag}` })
    // It follows the boxes below it, a moment after the click.
    await every.click()
    await soon(() => every.isChecked()).toBe(on)
  }
  await turn('修改', false)
  await turn('列表', true)
  await save(page)
  await page.getByText('修改成功').waitFor()
  await closed(page)
  const kept = await all()
    .selectFrom('codegenColumn')
    .innerJoin('codegenTable', 'codegenTable.id', 'tableId')
    .select(['inList', 'inUpdate', 'menuUnder'])
    .where('tableName', '=', 'dict_type')
    .execute()
  expect(kept.length).toBeGreaterThan(3)
  for (const column of kept) expect(column).toEqual({ inList: true, inUpdate: false, menuUnder: 'DemoDeepest' })

  for (const name of ['notice', 'dict_type']) await page.getByRole('checkbox', { name: `选择 ${name}` }).check()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /生成代码 \(2\)$/ }).click()
  expect((await download).suggestedFilename()).toBe('codegen-2.zip')
  await all().deleteFrom('codegenTable').execute()
})

test('the columns go into an order by mouse and by keys, and the keyboard alone is enough for all of it', async () => {
  const page = await visit(world().admin, '/system/codegen')
  await button(page, '导入').first().click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByRole('checkbox', { name: 'dict_data', exact: true }).check()
  const unreachable = await unreached(page, '.ant-modal')
  await dialog.getByRole('button', { name: '导入（1）' }).press('Enter')
  await page.getByText('已导入 1 张表').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  unreachable.push(...(await unreached(page, '#content')))

  const open = async () => {
    await button(row(page, 'dict_data'), '编辑').press('Enter')
    await drawer(page).getByRole('tab', { name: '基本信息' }).press('ArrowRight')
    await drawer(page).getByRole('tab', { name: '字段信息' }).press('Enter')
    await drawer(page).getByRole('row').nth(2).waitFor()
  }
  const order = async () => {
    const titles = await drawer(page)
      .getByRole('button', { name: /: 上移$/ })
      .all()
    return Promise.all(titles.map(async (one) => (await one.getAttribute('aria-label'))?.replace(': 上移', '')))
  }
  const step = (name: string, words: string) =>
    drawer(page).getByRole('button', { name: `${name}: ${words}`, exact: true })
  await open()
  unreachable.push(...(await unreached(page, '.ant-drawer-content-wrapper')))
  const before = await order()
  const [first = '', second = '', third = '', ...rest] = before
  await step(first, '下移').focus()
  await page.keyboard.press('Enter')
  await soon(order).toEqual([second, first, third, ...rest])
  // Where it went the focus went along, so that the next press moves it on.
  await page.keyboard.press('Enter')
  await soon(order).toEqual([second, third, first, ...rest])
  await step(second, '上移').press('Enter')
  await soon(() => order()).toEqual([second, third, first, ...rest])

  const rowOf = (name: string) =>
    drawer(page)
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `${name}: 上移`, exact: true }) })
  await rowOf(first).locator('.drag-handle').hover()
  await page.mouse.down()
  for (const y of [8, 4]) await rowOf(second).hover({ position: { x: 150, y } })
  await page.mouse.up()
  await soon(order).toEqual([first, second, third, ...rest])
  await step(third, '上移').press('Enter')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '有未保存的修改，确定放弃？' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await button(drawer(page), '保存').press('Enter')
  await page.getByText('修改成功').waitFor()
  await closed(page)
  await open()
  await soon(() => order()).toEqual([first, third, second, ...rest])
  await page.keyboard.press('Escape')
  await closed(page)
  expect(unreachable).toEqual([])
})

test('what two people choose for one table stands beside each other, and one of them can save over it', async () => {
  allow(/409/)
  const pages = [await visit(world().admin, '/system/codegen'), await visit(world().admin, '/system/codegen')] as const
  const [one, two] = pages
  await button(one, '导入').first().click()
  const dialog = one.locator('.ant-modal:visible')
  await dialog.getByRole('checkbox', { name: 'notice', exact: true }).check()
  await dialog.getByRole('button', { name: '导入（1）' }).click()
  await one.getByText('已导入 1 张表').waitFor()
  await two.reload()
  const name = (page: Page) => drawer(page).getByLabel('中文名称', { exact: true }).first()
  const remark = (page: Page) => drawer(page).getByLabel('备注')
  for (const page of pages) await button(row(page, 'notice'), '编辑').click()
  await name(two).fill('他的名称')
  await remark(two).fill('他的备注')
  await drawer(two).getByRole('tab', { name: '字段信息' }).click()
  await drawer(two).getByLabel('level: 中文名称').fill('他的级别')
  await save(two)
  await closed(two)

  await name(one).fill('我的名称')
  await drawer(one).getByRole('tab', { name: '字段信息' }).click()
  await drawer(one).getByLabel('level: 英文名称').fill('My level')
  await save(one)
  const note = drawer(one).locator('.meanwhile')
  await note.getByText('您没有改动的内容已换成最新的：备注、level: 中文名称。').waitFor()
  await soon(() => note.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('他的名称')])
  await soon(() => drawer(one).getByLabel('level: 中文名称').inputValue()).toBe('他的级别')
  await soon(() => drawer(one).getByLabel('level: 英文名称').inputValue()).toBe('My level')
  await drawer(one).getByRole('tab', { name: '基本信息' }).click()
  await soon(async () => [await name(one).inputValue(), await remark(one).inputValue()]).toEqual([
    '我的名称',
    '他的备注',
  ])
  await note.getByRole('button', { name: '采用 中文名称' }).click()
  await soon(() => name(one).inputValue()).toBe('他的名称')
  await name(one).fill('我的名称')
  await save(one, '以我的为准保存')
  await closed(one)
  const kept = await all().selectFrom('codegenTable').selectAll().where('tableName', '=', 'notice').execute()
  expect(kept).toMatchObject([{ title: '我的名称', remark: '他的备注', version: 3 }])
})
