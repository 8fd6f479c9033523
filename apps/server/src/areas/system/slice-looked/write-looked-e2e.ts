import { DRAWER, EXPORTING, looking } from '../slice-web/write-e2e.ts'
import { file, literal } from '../slice/layout.ts'
import type { Slice } from '../slice/slice.ts'

/** The screen as a person uses it who changes nothing: list, read, export. */
export const writeLookedE2e = ({ table, address }: Slice): string =>
  file(
    "import { expect, test } from 'vitest'",
    "import { someRow } from '../apps/server/test/some-row.ts'",
    "import { inBothThemes, prepare, settled } from './axe.ts'",
    "import { unreached } from './reach.ts'",
    "import { soon, stage } from './stage/stage.ts'",
    "import { button, SETTLED } from './words.ts'",
    '',
    "const { site, visit, world } = stage({ language: 'zh-cn', theme: 'light' })",
    '',
    `test(${literal(`${table.title}: listed, read and exported, and changed by nobody`)}, async () => {`,
    `  await someRow(site().db, '${table.tableName}')`,
    "  const page = await visit(world().admin, 'about:blank')",
    '  await prepare(page)',
    `  await page.goto('${address}')`,
    '  const complaints: string[] = []',
    "  const drawer = page.locator('.ant-drawer-content-wrapper:visible')",
    "  const first = button(page.locator('#content'), '详情').first()",
    '  await first.waitFor()',
    ...looking('the list', '#content'),
    "  for (const words of ['新增', '编辑', '删除']) await soon(() => button(page, words).count()).toBe(0)",
    '  await first.click()',
    '  await drawer.waitFor()',
    ...looking('the detail', DRAWER),
    "  await page.keyboard.press('Escape')",
    "  await drawer.waitFor({ state: 'hidden' })",
    ...EXPORTING,
    '  expect(complaints).toEqual([])',
    '})',
  )
