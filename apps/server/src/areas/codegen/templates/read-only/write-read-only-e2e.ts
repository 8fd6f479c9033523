import { DRAWER, EXPORTING, emitAccessibilityChecks } from '../web/write-e2e.ts'
import { sourceFile, literal } from '../server/source-text.ts'
import type { CrudModule } from '../server/crud-module.ts'

/** Emits the browser test of a read-only screen: list, detail, export. */
export const writeReadOnlyE2e = ({ table, address }: CrudModule): string =>
  sourceFile(
    "import { expect, test } from 'vitest'",
    "import { anyRow } from '../apps/server/test/any-row.ts'",
    "import { inBothThemes, prepare, waitUntilIdle } from './axe.ts'",
    "import { unreachableControls } from './keyboard-reach.ts'",
    "import { eventually, browserTest } from './setup/browser-test.ts'",
    "import { button, SETTLED } from './page-actions.ts'",
    '',
    "const { site, visit, world } = browserTest({ language: 'zh-cn', theme: 'light' })",
    '',
    `test(${literal(`${table.title}: lists, reads and exports, and changes nothing`)}, async () => {`,
    `  await anyRow(site().db, '${table.tableName}')`,
    "  const page = await visit(world().admin, 'about:blank')",
    '  await prepare(page)',
    `  await page.goto('${address}')`,
    '  const complaints: string[] = []',
    "  const drawer = page.locator('.ant-drawer-content-wrapper:visible')",
    "  const first = button(page.locator('#content'), '详情').first()",
    '  await first.waitFor()',
    ...emitAccessibilityChecks('the list', '#content'),
    "  for (const words of ['新增', '编辑', '删除']) await eventually(() => button(page, words).count()).toBe(0)",
    '  await first.click()',
    '  await drawer.waitFor()',
    ...emitAccessibilityChecks('the detail', DRAWER),
    "  await page.keyboard.press('Escape')",
    "  await drawer.waitFor({ state: 'hidden' })",
    ...EXPORTING,
    '  expect(complaints).toEqual([])',
    '})',
  )
