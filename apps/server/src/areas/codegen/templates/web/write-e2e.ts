import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { call, sourceFile, importLine, literal } from '../server/source-text.ts'
import {
  hiddenFormColumns,
  defaultOf,
  dictsIn,
  isTree,
  type CrudModule,
  type CrudColumn,
} from '../server/crud-module.ts'
import { minPositiveLiteral } from '../server/write-schema.ts'

const FIRST = 'first'
const SECOND = 'second'

const numberOf = (column: CrudColumn): string => {
  const decimal = decimalOf(column)
  return decimal ? minPositiveLiteral(decimal) : '1'
}

/** Emits how a user fills one field of the drawer. */
const filling = (column: CrudColumn): string[] => {
  const { key, form, words, dictType, kind, length } = column
  const field = `drawer.locator('#${key}')`
  switch (form) {
    case 'NUMBER':
      return [`  await ${field}.fill('${numberOf(column)}')`]
    case 'SELECT':
      if (dictType !== null) return [`  await chooseFirst(page, ${field})`]
      return [`  await selectOption(page, ${field}, ${literal(words[0] ?? '')})`]
    case 'RADIO':
      return [`  await ${field}.getByRole('radio').first().check()`]
    case 'CHECKBOX':
      return kind === 'LIST' ? [`  await ${field}.getByRole('checkbox').first().check()`] : []
    case 'DATE':
      return [`  await pick(page, ${field}, '2026-01-02')`]
    case 'DATETIME':
      return [`  await pick(page, ${field}, '2026-01-02 08:30')`]
    case 'SCHOOL':
      return [`  await selectOption(page, ${field}, EAST_SCHOOL)`]
    case 'EDITOR':
      return [`  await ${field}.fill('${FIRST}')`]
    case 'IMAGE':
    case 'FILE':
    case 'SWITCH':
    case 'PARENT':
    case 'HIDDEN':
      return []
    default:
      return [`  await ${field}.fill('${FIRST.slice(0, length ?? FIRST.length)}')`]
  }
}

/** Upload fields of the form. */
const uploading = (slice: CrudModule): string[] =>
  slice.columns
    .filter(({ form, inCreate }) => inCreate && (form === 'IMAGE' || form === 'FILE'))
    .flatMap(({ form, key, title }) => {
      const [file, done] =
        form === 'IMAGE' ? ['DOT', '.image-card[data-state=done]'] : ['NOTE', '.upload-list li[data-state=done]']
      return [
        `  const ${key}Field = drawer.locator('.ant-form-item').filter({ hasText: ${literal(title)} })`,
        `  await ${key}Field.locator('input[type=file]').first().setInputFiles(${file})`,
        `  await ${key}Field.locator('${done}').first().waitFor()`,
      ]
    })

/** The column by which the test finds its row. */
const tellingOf = ({ columns }: CrudModule): CrudColumn | undefined =>
  columns.find(
    ({ form, inList, inCreate, inUpdate, kind, length }) =>
      inList &&
      inCreate &&
      inUpdate &&
      kind === 'TEXT' &&
      (form === 'INPUT' || form === 'TEXTAREA') &&
      (length ?? 10) >= SECOND.length,
  )

const picking = [
  '/** Types and confirms a day. */',
  'const pick = async (page: Page, field: Locator, text: string) => {',
  '  await field.click()',
  '  await field.fill(text)',
  "  await field.press('Enter')",
  "  await page.locator('.ant-picker-dropdown:visible').waitFor({ state: 'hidden' })",
  '}',
  '',
]

const choosing = [
  '/** Chooses the first entry of the dictionary. */',
  'const chooseFirst = async (page: Page, field: Locator) => {',
  '  await field.click()',
  "  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()",
  "  await field.press('Tab')",
  '}',
  '',
]

const dot = [
  'const DOT = {',
  "  name: 'dot.png',",
  "  mimeType: 'image/png',",
  '  buffer: Buffer.from(',
  "    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4IaKLFTEMLQkACg5CQQtxM6EAAAAASUVORK5CYII=',",
  "    'base64',",
  '  ),',
  '}',
]
const note = ["const NOTE = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('first') }"]

const searching = (telling: CrudColumn | undefined): string[] => {
  if (!telling?.inQuery || !['LIKE', 'EQ'].includes(telling.queryType)) return []
  return [
    `  await page.locator('.filter-bar [id$=_${telling.key}]').fill('nothing-like-it'.slice(0, ${telling.length ?? 100}))`,
    "  await button(page, '搜索').click()",
    "  await page.getByText('没有符合条件的数据').waitFor()",
    `  await page.locator('.filter-bar [id$=_${telling.key}]').fill('${FIRST}')`,
    "  await button(page, '搜索').click()",
    `  await row(page, '${FIRST}').waitFor()`,
  ]
}

export const EXPORTING = [
  "  const sheet = page.waitForEvent('download')",
  "  await button(page, '导出').click()",
  "  await page.getByRole('menuitem', { name: 'Excel' }).click()",
  "  await button(page.locator(SETTLED), '确定').click()",
  '  await (await sheet).path()',
]

/** Actions in the row's menu when there are more than three. */
const inMore = (slice: CrudModule, on: string, words: string): string[] =>
  isTree(slice)
    ? [`  await button(${on}, '更多').click()`, `  await page.getByRole('menuitem', { name: '${words}' }).click()`]
    : [`  await button(${on}, '${words}').click()`]

/** Checks accessibility in both themes and languages, and operation by keys alone. */
export const emitAccessibilityChecks = (at: string, part: string): string[] => [
  '  await waitUntilIdle(page)',
  call(
    '  ',
    'complaints.push',
    [`...(await inBothThemes(page, '${at}'))`, `...(await unreachableControls(page, '${part}'))`],
    '',
  ),
]
export const DRAWER = '.ant-drawer-content-wrapper'

const reading = (telling: CrudColumn | undefined): string[] => {
  if (!telling) return []
  return [
    `  await button(row(page, '${FIRST}'), '详情').click()`,
    `  await drawer.getByText('${FIRST}').first().waitFor()`,
    ...emitAccessibilityChecks('the detail', DRAWER),
    "  await page.keyboard.press('Escape')",
    "  await drawer.waitFor({ state: 'hidden' })",
  ]
}

const editing = (slice: CrudModule, telling: CrudColumn | undefined, filtered: boolean): string[] => {
  if (!telling) return []
  const unseen = hiddenFormColumns(slice).find((column) => column.inUpdate && defaultOf(column) !== undefined)
  return [
    ...(unseen ? ['  const change = page.waitForRequest(/\\/update$/)'] : []),
    `  await button(row(page, '${FIRST}'), '编辑').click()`,
    `  await drawer.locator('#${telling.key}').fill('${SECOND}')`,
    "  await button(drawer, '保存').click()",
    "  await page.getByText('修改成功').waitFor()",
    // A hidden value is sent back unchanged.
    ...(unseen
      ? [`  expect((await change).postDataJSON()).toHaveProperty('${unseen.key}', ${defaultOf(unseen)})`]
      : []),
    ...(filtered ? ["  await button(page, '重置').click()"] : []),
    `  await row(page, '${SECOND}').waitFor()`,
  ]
}

/** One row of each child table. */
const parts = (slice: CrudModule): string[] =>
  slice.parts.flatMap(({ table, set, columns }) => {
    const fields = columns.filter((column) => column.inCreate && (!column.nullable || column.form === 'INPUT'))
    return [
      `  await button(drawer.getByRole('group', { name: ${literal(table.title)} }), '新增').click()`,
      ...fields.flatMap((column) => filling({ ...column, key: `${set}_0_${column.key}` })),
    ]
  })

/** Two users change child rows concurrently: both versions are shown, and the rows keep their ids. */
const atOnce = ({ parts: own, address }: CrudModule, telling: CrudColumn | undefined): string[] => {
  const texts = own.flatMap(({ set, table, columns }) =>
    columns
      .filter(
        ({ form, inCreate, kind, length }) => form === 'INPUT' && inCreate && kind === 'TEXT' && (length ?? 10) > 5,
      )
      .map(({ key }) => ({ set, key, title: table.title })),
  )
  const [first] = texts
  if (!telling || !first) return []
  const field = `#${first.set}_0_${first.key}`
  return [
    '  allow(/409/)',
    `  const other = await visit(world().admin, '${address}')`,
    "  const theirs = other.locator('.ant-drawer-content-wrapper:visible')",
    `  for (const each of [other, page]) await button(row(each, '${FIRST}'), '编辑').click()`,
    `  await theirs.locator('${field}').fill('${SECOND}')`,
    `  await drawer.locator('${field}').fill('third')`,
    "  await button(theirs, '保存').click()",
    "  await other.getByText('修改成功').waitFor()",
    "  await button(drawer, '保存').click()",
    `  const beside = drawer.getByRole('group', { name: ${literal(`对方的${first.title}`)} })`,
    `  await beside.locator('input[value=${SECOND}]:disabled').waitFor()`,
    // A hovered element is lighter.
    '  await page.mouse.move(0, 0)',
    ...emitAccessibilityChecks('what somebody else saved', DRAWER),
    "  await button(beside, '采用').click()",
    "  await beside.waitFor({ state: 'hidden' })",
    '  const sent = page.waitForRequest(/\\/update$/)',
    "  await button(drawer, '保存').click()",
    `  const kept = [{ id: expect.any(Number), ${first.key}: '${SECOND}' }]`,
    `  expect((await sent).postDataJSON()).toMatchObject({ ${first.set}: kept })`,
    "  await drawer.waitFor({ state: 'hidden' })",
  ]
}

const helping = (uses: (text: string) => boolean): string[] => [
  ...(uses('pick(') ? picking : []),
  ...(uses('chooseFirst(') ? choosing : []),
  ...(uses('DOT') ? dot : []),
  ...(uses('NOTE') ? note : []),
  ...(uses('DOT') || uses('NOTE') ? [''] : []),
]

/** Emits the browser test of the screen: create, find, read, export, edit, delete. */
export const writeE2e = (slice: CrudModule): string => {
  const { table, address, columns } = slice
  const telling = tellingOf(slice)
  const dicts = dictsIn(slice)
  const required = columns.filter(
    (column) =>
      column.inCreate && (!column.nullable || column.required || column === telling || column.form === 'EDITOR'),
  )
  const fields = [...required.flatMap(filling), ...uploading(slice), ...parts(slice)]
  const uses = (text: string) => fields.some((line) => line.includes(text))
  const find = searching(telling)
  const meanwhile = atOnce(slice, telling)
  const words = ['button', ...(uses('selectOption(') ? ['selectOption'] : []), ...(telling ? ['row'] : []), 'SETTLED']
  const last = telling ? `row(page, '${SECOND}')` : "page.getByRole('row').nth(1)"
  const title = literal(`${table.title}: creates, ${find.length > 0 ? 'finds, ' : ''}reads, exports, edits and deletes`)
  return sourceFile(
    (uses('pick(') || uses('chooseFirst(')) && "import type { Locator, Page } from 'playwright-core'",
    "import { expect, test } from 'vitest'",
    dicts.length > 0 && importLine(['makeDict'], '../apps/server/seed/fixtures.ts'),
    importLine(['inBothThemes', 'prepare', 'waitUntilIdle'], './axe.ts'),
    importLine(['unreachableControls'], './keyboard-reach.ts'),
    importLine(['browserTest'], './setup/browser-test.ts'),
    uses('EAST_SCHOOL') && importLine(['EAST_SCHOOL'], './setup/e2e-fixture.ts'),
    importLine(words, './page-actions.ts'),
    '',
    `const { ${meanwhile.length > 0 ? 'allow, ' : ''}${dicts.length > 0 ? 'site, ' : ''}visit, world } = browserTest({ language: 'zh-cn', theme: 'light' })`,
    '',
    ...helping(uses),
    `test(${title}, async () => {`,
    ...dicts.map((type) => `  await makeDict(site().db, ${literal(type)}, ['1'])`),
    "  const page = await visit(world().admin, 'about:blank')",
    '  await prepare(page)',
    `  await page.goto('${address}')`,
    '  const complaints: string[] = []',
    "  const drawer = page.locator('.ant-drawer-content-wrapper:visible')",
    "  await button(page, '新增').first().click()",
    "  await button(drawer, '保存').waitFor()",
    ...emitAccessibilityChecks('the form', DRAWER),
    ...fields,
    "  await button(drawer, '保存').click()",
    "  await page.getByText('新增成功').waitFor()",
    "  await drawer.waitFor({ state: 'hidden' })",
    ...emitAccessibilityChecks('the list', '#content'),
    ...find,
    ...reading(telling),
    ...EXPORTING,
    ...meanwhile,
    ...editing(slice, telling, find.length > 0),
    ...inMore(slice, last, '删除'),
    "  await button(page.locator(SETTLED), '确定').click()",
    "  await page.getByText('删除成功').waitFor()",
    '  expect(complaints).toEqual([])',
    '})',
  )
}
