import { file, fitted, importing, list, literal } from './layout.ts'
import type { Slice, SliceColumn } from './slice.ts'

/** A value as it travels, different for the second draft. */
const sample = ({ kind, words, length, form, dictType }: SliceColumn, second: boolean): string => {
  if (form === 'SCHOOL') return 'schoolId'
  if (words.length > 0) return literal(words[second ? words.length - 1 : 0] ?? '')
  if (dictType !== null) return "'1'"
  switch (kind) {
    case 'TEXT':
      return literal((second ? 'second' : 'first').slice(0, length ?? 10))
    case 'INT':
    case 'BIGINT':
      return second ? '2' : '1'
    case 'FLOAT':
      return second ? '2.5' : '1.5'
    case 'BOOL':
      return String(second)
    case 'DAY':
      return second ? "'2026-02-03'" : "'2026-01-02'"
    case 'INSTANT':
      return second ? '1_770_076_800_000' : '1_767_312_000_000'
  }
}

const sightTest = ({ table, permission }: Slice): string[] => {
  if (table.sight === 'OPEN') return []
  const rights = ['query', 'update', 'delete'].map((verb) => literal(`${permission}:${verb}`))
  return [
    '',
    "it('is not there for who does not see it, like a row that does not exist', async () => {",
    '  const id = await create()',
    list('  ', 'const rights = ', rights, ''),
    '  const { token } = await admin.clerk(...rights)',
    "  const seen = await admin.call('GET', `${at}/get?id=${id}`, undefined, token)",
    '  expect(seen.code).toBe(codes.notFound.code)',
    "  expect(pageIn(await admin.call('GET', `${at}/page`, undefined, token)).total).toBe(0)",
    "  const changed = await admin.call('PUT', `${at}/update`, { id, version: 1 }, token)",
    '  expect(changed.code).toBe(codes.notFound.code)',
    "  const deleted = await admin.call('DELETE', `${at}/delete?id=${id}`, undefined, token)",
    '  expect(deleted.code).toBe(codes.notFound.code)',
    '})',
  ]
}

const schoolTest = ({ columns }: Slice): string[] => {
  const key = columns.find(({ form }) => form === 'SCHOOL')?.key
  if (!key) return []
  return [
    '',
    "it('refuses a school that does not exist', async () => {",
    `  const answer = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${key}: 999_999 })`,
    '  expect(answer.code).toBe(codes.notFound.code)',
    '})',
  ]
}

/** What one filter finds and what it does not. */
const findTest = ({ columns }: Slice): string[] => {
  const column = columns.find(
    ({ inQuery, kind, queryType, form }) => inQuery && form && kind === 'TEXT' && queryType !== 'NE',
  )
  if (!column) return []
  const value = sample(column, false).slice(1, -1)
  const none = column.words.length > 0 ? column.words[1] : 'nothing-like-it'
  const total = 'const total = async (text: string) =>'
  const asked = `pageIn(await admin.call('GET', \`\${at}/page?${column.key}=\${text}\`)).total`
  return [
    '',
    `it('is found by ${column.key}', async () => {`,
    '  const id = await create()',
    fitted(`  ${total} ${asked}`, [`  ${total}`, `    ${asked}`]),
    `  expect(await total('${value}')).toBe(1)`,
    ...(none === undefined ? [] : [`  expect(await total('${none}')).toBe(0)`]),
    '  await remove(id)',
    '})',
  ]
}

const life = ({ table, permission }: Slice): string[] => [
  "it('is created, changed and deleted, with audit', async () => {",
  '  const id = await create()',
  "  expect((await admin.call('GET', `${at}/get?id=${id}`)).data).toMatchObject({ ...draft(), id, version: 1 })",
  "  expect((await admin.call('PUT', `${at}/update`, { ...other(), id, version: 1 })).code).toBe(200)",
  "  const page = pageIn(await admin.call('GET', `${at}/page`))",
  '  expect(page.list[0]).toMatchObject({ ...other(), id, version: 2 })',
  '  expect((await remove(id)).code).toBe(200)',
  "  expect((await admin.call('GET', `${at}/get?id=${id}`)).code).toBe(codes.notFound.code)",
  list(
    '  ',
    `expect(await admin.audited('${table.tableName}', id)).toEqual(`,
    ['create', 'update', 'delete'].map((verb) => literal(`${permission}:${verb}`)),
    ')',
  ),
  '})',
]

const refusals = ({ columns }: Slice): string[] => {
  const required = columns.find((column) => column.form && (!column.nullable || column.required))
  return [
    "it('refuses who may not, what does not fit, a stale version and what does not exist', async () => {",
    '  const id = await create()',
    '  const { token } = await admin.clerk()',
    "  expect((await admin.call('GET', `${at}/page`, undefined, token)).code).toBe(codes.forbidden.code)",
    "  expect((await admin.call('POST', `${at}/create`, draft(), token)).code).toBe(codes.forbidden.code)",
    "  const unknown = await admin.call('POST', `${at}/create`, { ...draft(), surplus: 1 })",
    "  expect(refusedFields(unknown)).toEqual(['surplus'])",
    ...(required
      ? [
          `  const lacking = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${required.key}: null })`,
          `  expect(refusedFields(lacking)).toEqual(['${required.key}'])`,
        ]
      : []),
    "  const stale = await admin.call('PUT', `${at}/update`, { ...draft(), id, version: 9 })",
    '  expect(stale).toMatchObject({ code: codes.stale.code, data: { current: { id, version: 1 } } })',
    '  expect((await remove(999_999)).code).toBe(codes.notFound.code)',
    '  await remove(id)',
    '})',
  ]
}

/** The behaviour of the calls. */
export const writeTest = (slice: Slice): string => {
  const { entity, path, columns } = slice
  const inForm = columns.filter(({ form }) => form)
  const school = inForm.some(({ form }) => form === 'SCHOOL')
  const draft = (second: boolean) =>
    inForm.map((column) =>
      column.key === sample(column, second) ? `  ${column.key},` : `  ${column.key}: ${sample(column, second)},`,
    )
  return file(
    "import { codes } from '@tocsin/contract/codes'",
    "import { afterAll, beforeAll, expect, it } from 'vitest'",
    school && importing(['makeSchool'], '../../../../seed/make.ts'),
    importing(['type AdminSite', 'openAdmin', 'pageIn', 'refusedFields'], '../../../../test/admin-site.ts'),
    `import { ${entity}Routes } from './routes.ts'`,
    '',
    `const at = '${path}'`,
    'let admin: AdminSite',
    school && 'let schoolId = 0',
    'beforeAll(async () => {',
    `  admin = await openAdmin((db) => ${entity}Routes({ db }))`,
    school && '  schoolId = (await makeSchool(admin.site.db)).id',
    '})',
    'afterAll(() => admin.end())',
    '',
    'const draft = () => ({',
    ...draft(false),
    '})',
    'const other = () => ({',
    ...draft(true),
    '})',
    'const create = async () => {',
    "  const { code, msg, data } = await admin.call('POST', `${at}/create`, draft())",
    '  expect({ code, msg }).toMatchObject({ code: 200 })',
    '  return Number(data)',
    '}',
    "const remove = (id: number) => admin.call('DELETE', `${at}/delete?id=${id}`)",
    '',
    ...life(slice),
    ...findTest(slice),
    '',
    ...refusals(slice),
    ...sightTest(slice),
    ...schoolTest(slice),
  )
}
