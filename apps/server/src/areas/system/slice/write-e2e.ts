import { file, fitted, importing, list, literal } from './layout.ts'
import type { Slice, SliceColumn } from './slice.ts'

const FIRST = 'first'
const SECOND = 'second'

/** How a person fills in one field of the drawer. */
const filling = (column: SliceColumn): string => {
  const { key, form, words, dictType, length } = column
  const field = `drawer.locator('#${key}')`
  switch (form) {
    case 'NUMBER':
      return `  await ${field}.fill('1')`
    case 'SWITCH':
      return `  await ${field}.click()`
    case 'SELECT':
      if (dictType === null) return `  await choose(page, ${field}, ${literal(words[0] ?? '')})`
      return `  await ${field}.press('Enter')`
    case 'RADIO':
      if (dictType !== null) return `  await ${field}.press('Enter')`
      return `  await drawer.getByText(${literal(words[0] ?? '')}, { exact: true }).click()`
    case 'DATE':
      return `  await pick(page, ${field}, '2026-01-02')`
    case 'DATETIME':
      return `  await pick(page, ${field}, '2026-01-02 08:30')`
    case 'SCHOOL':
      return `  await choose(page, ${field}, EAST)`
    default:
      return `  await ${field}.fill('${FIRST.slice(0, length ?? FIRST.length)}')`
  }
}

/** The column by which the test tells its row from others. */
const tellingOf = ({ columns }: Slice): SliceColumn | undefined =>
  columns.find(
    ({ form, inList, kind, length }) =>
      inList && kind === 'TEXT' && (form === 'INPUT' || form === 'TEXTAREA') && (length ?? 10) >= SECOND.length,
  )

const picking = [
  '/** Types a day and takes it. */',
  'const pick = async (page: Page, field: Locator, text: string) => {',
  '  await field.click()',
  '  await field.fill(text)',
  "  await field.press('Enter')",
  "  await page.locator('.ant-picker-dropdown:visible').waitFor({ state: 'hidden' })",
  '}',
  '',
]

const searching = (slice: Slice, telling: SliceColumn | undefined): string[] => {
  if (!telling?.inQuery || !['LIKE', 'EQ'].includes(telling.queryType)) return []
  return [
    `  await page.locator('#filter_${telling.key}').fill('nothing-like-it'.slice(0, ${telling.length ?? 100}))`,
    "  await button(page, '搜索').click()",
    "  await page.getByText('没有符合条件的数据').waitFor()",
    `  await page.locator('#filter_${telling.key}').fill('${FIRST}')`,
    "  await button(page, '搜索').click()",
    `  await row(page, '${FIRST}').waitFor()`,
  ]
}

const editing = (telling: SliceColumn | undefined, filtered: boolean): string[] => {
  if (!telling) return []
  return [
    `  await button(row(page, '${FIRST}'), '编辑').click()`,
    `  await drawer.locator('#${telling.key}').fill('${SECOND}')`,
    "  await button(drawer, '保存').click()",
    "  await page.getByText('修改成功').waitFor()",
    ...(filtered ? ["  await button(page, '重置').click()"] : []),
    `  await row(page, '${SECOND}').waitFor()`,
  ]
}

/** The screen as a person uses it: create, find, edit, delete. */
export const writeE2e = (slice: Slice): string => {
  const { table, kebab, columns } = slice
  const telling = tellingOf(slice)
  const required = columns.filter(
    (one) => one.form && one.form !== 'SWITCH' && (!one.nullable || one.required || one === telling),
  )
  const fields = required.map(filling)
  const uses = (text: string) => fields.some((line) => line.includes(text))
  const find = searching(slice, telling)
  const words = ['button', ...(uses('choose(') ? ['choose'] : []), ...(telling ? ['row'] : [])]
  const last = telling ? `row(page, '${SECOND}')` : "page.getByRole('row').nth(1)"
  const path = `${table.menuUnder === 'TOP' ? '' : '/system'}/${kebab}`
  const title = literal(`${table.title}: created, ${find.length > 0 ? 'found, ' : ''}edited and deleted`)
  return file(
    uses('pick(') && "import type { Locator, Page } from 'playwright-core'",
    "import { test } from 'vitest'",
    importing(['everything'], '../apps/server/src/db/scope.ts'),
    importing(['ADMIN'], './stage/site.ts'),
    importing(['stage'], './stage/stage.ts'),
    uses('EAST') && importing(['EAST'], './stage/world.ts'),
    importing(words, './words.ts'),
    '',
    'const { site, visit } = stage()',
    '',
    ...(uses('pick(') ? picking : []),
    fitted(`test(${title}, async () => {`, [`test(${title}, async () => {`]),
    "  const admin = await everything(site().db, 'whoever runs the test')",
    "    .selectFrom('users')",
    list('    ', '.select(', ["'id'", "'username'", "'nickname'"], ')'),
    "    .where('username', '=', ADMIN.username)",
    '    .executeTakeFirstOrThrow()',
    `  const page = await visit(admin, '${path}')`,
    "  const drawer = page.locator('.ant-drawer-content-wrapper:visible')",
    "  await button(page, '新增').first().click()",
    ...fields,
    "  await button(drawer, '保存').click()",
    "  await page.getByText('新增成功').waitFor()",
    ...find,
    ...editing(telling, find.length > 0),
    `  await button(${last}, '删除').click()`,
    "  await button(page.locator('.ant-modal:visible'), '确定').click()",
    "  await page.getByText('删除成功').waitFor()",
    '})',
  )
}
