import { sourceFile, wrapLine, importLine, arrayLiteral, literal } from '../server/source-text.ts'
import { isTree, type CrudModule } from '../server/crud-module.ts'
import { listing } from '../server/write-cases.ts'
import { LINES } from '../server/write-test.ts'

/** Emits a matching and a non-matching value of one filter, from the existing row, because the module creates none. */
const findTest = ({ columns }: CrudModule): string[] => {
  const column = columns.find(
    ({ inQuery, kind, nullable, words, queryType }) =>
      inQuery && kind === 'TEXT' && !nullable && words.length === 0 && queryType !== 'NE',
  )
  if (!column) return []
  const { key, length } = column
  return [
    '',
    `it('is found by ${key}, in the list and in the export', async () => {`,
    `  const text = encodeURIComponent(String((await rows()).find((one) => one['id'] === id)?.['${key}']))`,
    `  expect(await rows(\`${key}=\${text}\`)).toContainEqual(expect.objectContaining({ id }))`,
    `  const none = '${key}=${'nothing-like-it'.slice(0, length ?? 100)}'`,
    '  expect(await rows(none)).toEqual([])',
    '  expect(await lines(`?${none}`)).toBe(1)',
    '})',
  ]
}

const sightTest = ({ table, permission }: CrudModule): string[] =>
  table.sight === 'OPEN'
    ? []
    : [
        '',
        "it('is reported as missing when it is invisible', async () => {",
        arrayLiteral('  ', 'const rights = ', [literal(`${permission}:query`), literal(`${permission}:export`)], ''),
        '  const { token } = await admin.clerk(...rights)',
        "  const seen = await admin.call('GET', `${at}/get?id=${id}`, undefined, token)",
        '  expect(seen.code).toBe(codes.notFound.code)',
        "  expect(await rows('', token)).toEqual([])",
        "  expect(await lines('?', token)).toBe(1)",
        '})',
      ]

/** Emits the tests of calls that only read. */
export const writeReadOnlyTest = (slice: CrudModule): string => {
  const { entity, path, table, leftOut } = slice
  const call = listing(slice)
  const query = isTree(slice) ? `${call}?\${query}` : `${call}?\${query}&pageSize=200`
  const answer = `await admin.call('GET', \`\${at}/${query}\`, undefined, token)`
  return sourceFile(
    "import { codes } from '@tocsin/contract/codes'",
    "import { afterAll, beforeAll, expect, it } from 'vitest'",
    importLine(
      ['type AdminServer', 'startAdminServer', ...(isTree(slice) ? [] : ['pageIn']), 'errorFields'],
      '../../../../test/admin-server.ts',
    ),
    importLine(['anyRow'], '../../../../test/any-row.ts'),
    `import { ${entity}Routes } from './routes.ts'`,
    '',
    `const at = '${path}'`,
    'let admin: AdminServer',
    'let id = 0',
    'beforeAll(async () => {',
    `  admin = await startAdminServer((db) => ${entity}Routes({ db }))`,
    `  id = await anyRow(admin.site.db, '${table.tableName}')`,
    '})',
    'afterAll(() => admin.end())',
    '',
    "const rows = async (query = '', token?: string) =>",
    isTree(slice)
      ? wrapLine(`  (${answer}).data as unknown as Record<string, unknown>[]`, [
          '  (',
          `    ${answer}`,
          '  ).data as unknown as Record<string, unknown>[]',
        ])
      : `  pageIn(${answer}).list`,
    ...LINES,
    '',
    "it('is listed, read and exported', async () => {",
    '  const all = await rows()',
    "  const row = all.find((one) => one['id'] === id)",
    "  expect((await admin.call('GET', `${at}/get?id=${id}`)).data).toEqual(row)",
    "  expect(await lines('?')).toBe(all.length + 1)",
    ...leftOut.map(({ key }) => `  expect(row).not.toHaveProperty('${key}')`),
    '})',
    ...findTest(slice),
    '',
    "it('rejects a missing permission, an unknown field, a missing row, and every change', async () => {",
    '  const { token } = await admin.clerk()',
    `  for (const call of ['${call}', 'get?id=1', 'export'])`,
    "    expect((await admin.call('GET', `${at}/${call}`, undefined, token)).code).toBe(codes.forbidden.code)",
    `  expect(errorFields(await admin.call('GET', \`\${at}/${call}?surplus=1\`))).toEqual(['surplus'])`,
    "  expect((await admin.call('GET', `${at}/get?id=999999`)).code).toBe(codes.notFound.code)",
    "  for (const call of ['create', 'update', 'delete'])",
    "    for (const method of ['POST', 'PUT', 'DELETE'] as const)",
    '      expect((await admin.call(method, `${at}/${call}?id=${id}`)).code).toBe(404)',
    '  expect(await rows()).toContainEqual(expect.objectContaining({ id }))',
    '})',
    ...sightTest(slice),
  )
}
