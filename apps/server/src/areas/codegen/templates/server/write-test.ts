import { sourceFile, wrapLine, importLine, arrayLiteral, literal } from './source-text.ts'
import { dictsIn, hasFiles, isTree, type CrudModule, type CrudColumn } from './crud-module.ts'
import { emitExtraTests, listing, rowsOf, sampleValue, WORDS } from './write-cases.ts'

/** Emits a matching and a non-matching value of one filter. */
const findTest = (slice: CrudModule): string[] => {
  const column = slice.columns.find(
    ({ inQuery, kind, queryType, form, inCreate }) =>
      inQuery && form && inCreate && kind === 'TEXT' && queryType !== 'NE',
  )
  if (!column) return []
  const value = sampleValue(column, false).slice(1, -1)
  const none = column.words.length > 0 ? column.words[1] : 'nothing-like-it'
  const found = 'const found = async (text: string) =>'
  const query = rowsOf(slice, `await admin.call('GET', \`\${at}/${listing(slice)}?${column.key}=\${text}\`)`)
  return [
    '',
    `it('is found by ${column.key}, in the list and in the export', async () => {`,
    '  const id = await create()',
    wrapLine(`  ${found} ${query}`, [`  ${found}`, `    ${query}`]),
    `  expect(await found('${value}')).toHaveLength(1)`,
    ...(none === undefined ? [] : [`  expect(await found('${none}')).toEqual([])`]),
    `  expect(await lines('?${column.key}=${value}')).toBe(2)`,
    ...(none === undefined ? [] : [`  expect(await lines('?${column.key}=${none}')).toBe(1)`]),
    '  await remove(id)',
    '})',
  ]
}

/** The values that create and change a row, as far as both have the same fields. */
const drafts = (slice: CrudModule) => {
  const inCreate = slice.columns.filter((column) => column.form && column.inCreate)
  const inUpdate = slice.columns.filter((column) => column.form && column.inUpdate)
  const lines = (columns: readonly CrudColumn[], second: boolean) =>
    columns.map((column) => {
      const value = sampleValue(column, second)
      return column.key === value ? `  ${column.key},` : `  ${column.key}: ${value},`
    })
  const none = slice.parts.map(({ set }) => `  ${set}: [],`)
  return { first: [...lines(inCreate, false), ...none], second: lines(inUpdate, true) }
}

const life = (slice: CrudModule): string[] => {
  const { table, permission, columns, leftOut } = slice
  const rich = columns.some(({ form }) => form === 'EDITOR')
  const page = `admin.call('GET', \`\${at}/${listing(slice)}\`)`
  return [
    "it('is created, changed and deleted, with audit', async () => {",
    '  const id = await create()',
    "  expect((await admin.call('GET', `${at}/get?id=${id}`)).data).toMatchObject({ ...draft(), id, version: 1 })",
    "  expect((await admin.call('PUT', `${at}/update`, { ...other(), id, version: 1 })).code).toBe(200)",
    `  const rows = ${rowsOf(slice, `await ${page}`)}`,
    '  expect(rows[0]).toMatchObject({ ...other(), id, version: 2 })',
    ...(rich ? ["  expect(JSON.stringify(rows[0])).not.toContain('<script')"] : []),
    ...leftOut.map(({ key }) => `  expect(rows[0]).not.toHaveProperty('${key}')`),
    '  expect((await remove(id)).code).toBe(200)',
    "  expect((await admin.call('GET', `${at}/get?id=${id}`)).code).toBe(codes.notFound.code)",
    arrayLiteral(
      '  ',
      `expect(await admin.audited('${table.tableName}', id)).toEqual(`,
      ['create', 'update', 'delete'].map((verb) => literal(`${permission}:${verb}`)),
      ')',
    ),
    '})',
  ]
}

const refusals = (slice: CrudModule): string[] => {
  const { columns } = slice
  const required = columns.find(
    (column) => column.inCreate && column.form !== 'PARENT' && (!column.nullable || column.required),
  )
  return [
    "it('rejects a missing permission, invalid input, a stale version and a missing row', async () => {",
    '  const id = await create()',
    '  const { token } = await admin.clerk()',
    `  for (const call of ['${listing(slice)}', 'export'])`,
    "    expect((await admin.call('GET', `${at}/${call}`, undefined, token)).code).toBe(codes.forbidden.code)",
    "  expect((await admin.call('POST', `${at}/create`, draft(), token)).code).toBe(codes.forbidden.code)",
    "  const unknown = await admin.call('POST', `${at}/create`, { ...draft(), surplus: 1 })",
    "  expect(errorFields(unknown)).toEqual(['surplus'])",
    ...(required
      ? [
          `  const lacking = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${required.key}: null })`,
          `  expect(errorFields(lacking)).toEqual(['${required.key}'])`,
        ]
      : []),
    "  const stale = await admin.call('PUT', `${at}/update`, { ...other(), id, version: 9 })",
    '  expect(stale).toMatchObject({ code: codes.stale.code, data: { current: { id, version: 1 } } })',
    '  expect((await remove(999_999)).code).toBe(codes.notFound.code)',
    '  await remove(id)',
    '})',
  ]
}

export const LINES = [
  '/** Lines of the export, with the headings. */',
  'const lines = async (query: string, token = admin.adminToken): Promise<number> => {',
  '  const url = `/admin-api${at}/export${query}&format=csv`',
  '  const headers = { authorization: `Bearer ${token}` }',
  '  const { payload } = await admin.site.app.inject({ url, headers })',
  "  return payload.trimEnd().split('\\r\\n').length",
  '}',
]

/** Emits the test fixture and the rows that drafts refer to. */
const setting = (slice: CrudModule): (string | false)[] => {
  const { entity, path, columns } = slice
  const forms = new Set(columns.map(({ form }) => form))
  const files = hasFiles(slice)
  const attached = forms.has('IMAGE') || forms.has('FILE')
  const school = forms.has('SCHOOL')
  const makers = [...(dictsIn(slice).length > 0 ? ['makeDict'] : []), ...(school ? ['makeSchool'] : [])]
  const made = (image: boolean) => `await files.made(admin.site.db, admin.here.userId, ${image})`
  return [
    "import { codes } from '@tocsin/contract/codes'",
    "import { afterAll, beforeAll, expect, it } from 'vitest'",
    makers.length > 0 && importLine(makers, '../../../../seed/fixtures.ts'),
    importLine(
      ['type AdminServer', 'startAdminServer', ...(isTree(slice) ? [] : ['pageIn']), 'errorFields'],
      '../../../../test/admin-server.ts',
    ),
    files && importLine(['openFiles', 'type TestFiles'], '../../../../test/files.ts'),
    `import { ${entity}Routes } from './routes.ts'`,
    '',
    `const at = '${path}'`,
    'let admin: AdminServer',
    school && 'let schoolId = 0',
    forms.has('IMAGE') && 'let pictureId = 0',
    attached && 'let fileId = 0',
    files && 'let files: TestFiles',
    'beforeAll(async () => {',
    files && '  files = openFiles()',
    `  admin = await startAdminServer((db) => ${entity}Routes({ db }))`,
    ...dictsIn(slice).map((type) => `  await makeDict(admin.site.db, ${literal(type)}, ${WORDS})`),
    school && '  schoolId = (await makeSchool(admin.site.db)).id',
    forms.has('IMAGE') && `  pictureId = ${made(true)}`,
    attached && `  fileId = ${made(false)}`,
    '})',
    ...(files
      ? ['afterAll(async () => {', '  await admin.end()', '  files.close()', '})']
      : ['afterAll(() => admin.end())']),
    '',
  ]
}

/** Emits the tests of the calls. */
export const writeTest = (slice: CrudModule): string => {
  const { first, second } = drafts(slice)
  const find = findTest(slice)
  return sourceFile(
    ...setting(slice),
    'const draft = () => ({',
    ...first,
    '})',
    'const other = () => ({',
    ...second,
    '})',
    'const create = async () => {',
    "  const { code, msg, data } = await admin.call('POST', `${at}/create`, draft())",
    '  expect({ code, msg }).toMatchObject({ code: 200 })',
    '  return Number(data)',
    '}',
    "const remove = (id: number) => admin.call('DELETE', `${at}/delete?id=${id}`)",
    isTree(slice) && 'const rowsIn = ({ data }: { data: unknown }) => data as Record<string, unknown>[]',
    ...(find.length > 0 ? LINES : []),
    '',
    ...life(slice),
    ...find,
    '',
    ...refusals(slice),
    ...emitExtraTests(slice),
  )
}
