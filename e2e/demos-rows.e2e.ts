import { expect, test } from 'vitest'
import { demoBrowserTest, dialog, drawer, fits, phone } from './demo-browser-test.ts'
import { eventually } from './setup/browser-test.ts'
import { button, selectOption, closed, row, save, openRow } from './page-actions.ts'

const { world, at, all, open, allow } = demoBrowserTest(true)

test('adds configured rows in a dialog, changes them inline and in a drawer, finds and deletes them', async () => {
  const page = await open(world().lead, '/demo/curd', {})
  await button(page, '新增').first().click()
  await dialog(page).getByLabel('名称').fill('灭火器')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '有未保存的修改，确定放弃？' })
  await button(question, '取消').click()
  await question.waitFor({ state: 'hidden' })
  await dialog(page).getByText('请选择', { exact: true }).waitFor()
  await selectOption(page, dialog(page).getByLabel('类别'), '商品')
  await dialog(page).getByLabel('标签').fill('消防')
  await dialog(page).getByLabel('标签').press('Enter')
  await dialog(page).getByLabel('价格').fill('88.5')
  await dialog(page).locator('input[type=file]').setInputFiles(at('现场.png'))
  await dialog(page).locator('.image-card[data-state=done]').waitFor()
  await button(dialog(page), '保存').click()
  const line = row(page, '灭火器')
  await line.getByText('¥88.50').waitFor()
  await line.getByText('商品').waitFor()
  await button(line, '预览 灭火器').click()
  await dialog(page).getByRole('img', { name: '灭火器' }).waitFor()
  await page.keyboard.press('Escape')

  await line.getByRole('switch').click()
  await page.getByText('修改成功').first().waitFor()
  await line.getByRole('spinbutton').fill('3')
  await line.getByRole('spinbutton').press('Enter')
  const stored = () => all().selectFrom('demoItem').select(['enabled', 'sort', 'icon', 'version']).executeTakeFirst()
  await eventually(stored).toMatchObject({ enabled: false, sort: 3, version: 3 })

  await openRow(page, '灭火器')
  await drawer(page).getByLabel('图标').click()
  await page.locator('.icon-popover:visible').getByLabel('搜索图标').fill('bell filled')
  await page.locator('.icon-popover:visible').getByRole('button', { name: 'ep:bell-filled' }).click()
  await button(drawer(page), '保存').click()
  await eventually(stored).toMatchObject({ icon: 'ep:bell-filled', version: 4 })

  await page.locator('.filter-bar [id$=_name]').fill('没有')
  await button(page, '搜索').click()
  await page.getByText('没有符合').waitFor()
  await button(page, '重置').click()
  await button(page, '展开').click()
  const tags = page.locator('.filter-bar [id$=_tag]')
  const search = async (tag: string) => {
    await tags.fill(tag)
    await tags.press('Enter')
    await button(page, '搜索').click()
  }
  await search('消防')
  await eventually(() => new URL(page.url()).searchParams.get('tag')).toBe('消防')
  await line.waitFor()
  await search('演练')
  await page.getByText('没有符合').waitFor()
  await button(page, '重置').click()
  await button(page, '列筛选').press('Enter')
  await eventually(() => page.locator('.ant-popover :focus').count()).toBe(1)
  await page.getByRole('checkbox', { name: '备注' }).check()
  await page.getByRole('columnheader', { name: '备注' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => button(page, '列筛选').and(page.locator(':focus')).count()).toBe(1)
  await page.getByText('配置 B').click()
  await page.getByRole('columnheader', { name: '价格' }).waitFor({ state: 'hidden' })
  await page.getByText('配置 A').click()
  await button(page, '删除').first().click()
  await page.getByText('请选择需要删除的数据').waitFor()
  await page.getByRole('checkbox', { name: '选择 灭火器' }).check()
  await page.getByRole('button', { name: /删除 \(1\)$/ }).click()
  await dialog(page).locator('.ant-modal-confirm-title').getByText('是否删除所选中数据？').waitFor()
  await button(dialog(page), '确定').click()
  await page.getByText('还没有示例，请新增或导入').waitFor()
})

test('imports a spreadsheet wholly or not at all, and exports it, on a phone in dark and English', async () => {
  const page = await open(world().lead, '/demo/curd', { lang: 'en', dark: true, ...phone })
  await button(page, 'Import').first().click()
  await dialog(page).locator('input[type=file]').setInputFiles(at('坏.csv'))
  const agree = async () => {
    const query = dialog(page).filter({ hasText: 'Whether to confirm import data item?' })
    await button(query, 'OK').click()
    await query.waitFor({ state: 'hidden' })
  }
  await agree()
  await dialog(page).getByText('Mistakes: 1; nothing was imported').waitFor()
  await dialog(page).locator('input[type=file]').setInputFiles(at('好.csv'))
  await agree()
  await page.getByText('7 imported').waitFor()
  await page.getByText('导入7').waitFor()
  await fits(page)
  await button(page, 'Export').click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByText('CSV').last().click()
      await button(dialog(page), 'OK').click()
    })(),
  ])
  expect(file.suggestedFilename()).toBe('Demo items.csv')
})

test('selects rows across pages, or one row where only one is allowed', async () => {
  const page = await open(world().lead, '/demo/table-select', { dark: true })
  const picker = page.locator('.demo-picker:visible')
  await button(page, '选择多项').click()
  await picker.getByRole('checkbox', { name: '导入1' }).check()
  await picker.getByRole('listitem', { name: '2' }).click()
  await row(picker, '导入7').click()
  await picker.getByText('已选 2 项').waitFor()
  await picker.getByRole('listitem', { name: '1' }).click()
  await eventually(() => picker.getByRole('checkbox', { name: '导入1' }).isChecked()).toBe(true)
  await button(picker, '确定').click()
  await page.getByRole('button', { name: '已选(2)' }).waitFor()
  await page.locator('.ant-tag').getByText('导入7').waitFor()
  await page.getByRole('button', { name: '已选(2)' }).click()
  await button(picker, '清空').click()
  await button(picker, '确定').click()
  await button(page, '选择多项').waitFor()
  await picker.waitFor({ state: 'hidden' })

  await button(page, '选择一项').click()
  await row(picker, '导入2').click()
  await row(picker, '导入3').click()
  await button(picker, '确定').click()
  await page.getByRole('button', { name: '已选(1)' }).waitFor()
  await page.locator('.ant-tag').getByText('导入3').waitFor()
})

test('points out a picture that another user stored during the edit, alone and beside the own one', async () => {
  allow(/demo\/item\/update/)
  const [own, other] = [await open(world().lead, '/demo/curd', {}), await open(world().lead, '/demo/curd', {})]
  const pictures = drawer(own).locator('.image-card[data-state=done]')
  const addPicture = async (page: typeof own) => {
    await drawer(page).locator('input[type=file]').setInputFiles(at('现场.png'))
    await drawer(page).locator('.image-card[data-state=done]').waitFor()
  }
  const meanwhile = async (name: string) => {
    await openRow(other, name)
    await addPicture(other)
    await save(other)
    await closed(other)
  }
  const stored = (name: string) =>
    all().selectFrom('demoItem').select(['version', 'imageId']).where('name', '=', name).executeTakeFirst()

  await openRow(own, '导入1')
  await drawer(own).getByLabel('名称').fill('导入一')
  await meanwhile('导入1')
  await save(own)
  await pictures.getByText('已保存的文件').waitFor()
  await eventually(() => drawer(own).locator('input[type=file]').count()).toBe(0)
  await save(own)
  await closed(own)
  await eventually(() => stored('导入一')).toEqual({ version: 3, imageId: expect.any(Number) })

  await openRow(own, '导入2')
  await addPicture(own)
  await meanwhile('导入2')
  const remoteId = (await stored('导入2'))?.imageId
  await save(own)
  await drawer(own).locator('.theirs').getByText('已保存的文件').waitFor()
  await eventually(() => drawer(own).locator('input[type=file], .theirs button').count()).toBe(1)
  await button(drawer(own), '采用').click()
  await pictures.getByText('已保存的文件').waitFor()
  await save(own)
  await closed(own)
  await eventually(() => stored('导入2')).toEqual({ version: 3, imageId: remoteId })
})
