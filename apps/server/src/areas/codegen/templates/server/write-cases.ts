import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { wrapLine, arrayLiteral, literal } from './source-text.ts'
import {
  hiddenFormColumns,
  defaultOf,
  isMovable,
  isTree,
  type CrudModule,
  type CrudColumn,
  dictColumns,
} from './crud-module.ts'
import { minPositiveLiteral, maxLiteral, firstTooLarge } from './write-schema.ts'

/** An encoded value that differs in the second draft. */
export const sampleValue = (column: CrudColumn, second: boolean): string => {
  const { kind, words, length, form, dictType } = column
  const decimal = decimalOf(column)
  // All of its digits including the last one, to detect rounding.
  if (decimal) return second ? minPositiveLiteral(decimal) : maxLiteral(decimal)
  if (form === 'SCHOOL') return 'schoolId'
  if (form === 'PARENT') return '0'
  if (form === 'IMAGE') return 'pictureId'
  if (form === 'FILE') return 'fileId'
  if (form === 'EDITOR') return second ? "'<p>second</p>'" : "'<p>first</p>'"
  if (words.length > 0) return literal(words[second ? words.length - 1 : 0] ?? '')
  if (kind === 'LIST') return second ? "['1', '2']" : "['1']"
  if (dictType !== null) return second ? "'2'" : "'1'"
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

export const listing = (slice: CrudModule) => (isTree(slice) ? 'list' : 'page')
/** The rows of a list response. */
export const rowsOf = (slice: CrudModule, answer: string) =>
  isTree(slice) ? `rowsIn(${answer})` : `pageIn(${answer}).list`

const sightTest = (slice: CrudModule): string[] => {
  const { table, permission } = slice
  if (table.sight === 'OPEN') return []
  const rights = ['query', 'update', 'delete'].map((verb) => literal(`${permission}:${verb}`))
  const seen = `admin.call('GET', \`\${at}/${listing(slice)}\`, undefined, token)`
  return [
    '',
    "it('is reported as missing when it is invisible', async () => {",
    '  const id = await create()',
    arrayLiteral('  ', 'const rights = ', rights, ''),
    '  const { token } = await admin.clerk(...rights)',
    "  const seen = await admin.call('GET', `${at}/get?id=${id}`, undefined, token)",
    '  expect(seen.code).toBe(codes.notFound.code)',
    `  expect(${rowsOf(slice, `await ${seen}`)}).toEqual([])`,
    "  const changed = await admin.call('PUT', `${at}/update`, { id, version: 1 }, token)",
    '  expect(changed.code).toBe(codes.notFound.code)',
    "  const deleted = await admin.call('DELETE', `${at}/delete?id=${id}`, undefined, token)",
    '  expect(deleted.code).toBe(codes.notFound.code)',
    '  await remove(id)',
    '})',
  ]
}

const schoolTest = ({ columns }: CrudModule): string[] => {
  const key = columns.find(({ form }) => form === 'SCHOOL')?.key
  if (!key) return []
  return [
    '',
    "it('rejects a missing school', async () => {",
    `  const answer = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${key}: 999_999 })`,
    '  expect(answer.code).toBe(codes.notFound.code)',
    '})',
  ]
}

const pictureTest = ({ columns }: CrudModule): string[] => {
  const key = columns.find(({ form }) => form === 'IMAGE')?.key
  if (!key) return []
  return [
    '',
    "it('rejects a picture that is none', async () => {",
    `  const answer = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${key}: fileId })`,
    `  expect(errorFields(answer)).toEqual(['${key}'])`,
    '})',
  ]
}

const fileTest = ({ columns }: CrudModule): string[] => {
  const key = columns.find(({ fileKey, inCreate, refers }) => fileKey && inCreate && refers === 'file')?.key
  if (!key) return []
  return [
    '',
    "it('rejects a missing file', async () => {",
    `  const answer = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${key}: 999_999 })`,
    '  expect(answer.code).toBe(codes.notFound.code)',
    '})',
  ]
}

/** A new row omits columns outside of the form. */
const carriedTest = (slice: CrudModule): string[] => {
  const column = hiddenFormColumns(slice).find((column) => column.inCreate && defaultOf(column) !== undefined)
  if (!column) return []
  const { key } = column
  return [
    '',
    "it('has the defaults of columns outside of the form', async () => {",
    `  const { ${key}: _${key}, ...rest } = draft()`,
    "  const id = Number((await admin.call('POST', `${at}/create`, rest)).data)",
    `  const row = (await admin.call('GET', \`\${at}/get?id=\${id}\`)).data`,
    `  expect(row).toHaveProperty('${key}', ${defaultOf(column)})`,
    '  await remove(id)',
    '})',
  ]
}

/** One digit more than the column has. */
const decimalTest = ({ columns }: CrudModule): string[] => {
  const [found] = columns.flatMap((column) => {
    const decimal = column.form && column.inCreate ? decimalOf(column) : undefined
    return decimal ? [{ key: column.key, decimal }] : []
  })
  if (!found) return []
  const { key, decimal } = found
  const [over, finer] = [firstTooLarge(decimal), minPositiveLiteral({ ...decimal, places: decimal.places + 1 })]
  return [
    '',
    `it('rejects a ${key} with too many digits', async () => {`,
    `  for (const ${key} of [${over}, -${over}, ${finer}]) {`,
    `    const answer = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${key} })`,
    `    expect(errorFields(answer)).toEqual(['${key}'])`,
    '  }',
    '})',
  ]
}

/** Values that the dictionaries of every test have. */
export const WORDS = "['1', '2']"

const wordTest = (slice: CrudModule): string[] => {
  const [column] = dictColumns(slice).filter(({ inCreate, inUpdate }) => inCreate && inUpdate)
  if (!column) return []
  const { key, dictType, kind } = column
  const odd = kind === 'LIST' ? "['no-such-word']" : "'-'"
  return [
    '',
    `it('rejects a ${key} that its dictionary does not have, unless it is unchanged', async () => {`,
    `  const answer = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${key}: ${odd} })`,
    `  expect(errorFields(answer)).toEqual(['${key}'])`,
    '  const id = await create()',
    "  const words = admin.site.db.updateTable('dictData').where('dictType', '=', " + literal(dictType) + ')',
    '  await words.set({ enabled: false }).execute()',
    `  const kept = { id, version: 1, ${key}: draft().${key} }`,
    "  expect((await admin.call('PUT', `${at}/update`, kept)).code).toBe(200)",
    '  await words.set({ enabled: true }).execute()',
    '  await remove(id)',
    '})',
  ]
}

const treeTest = (slice: CrudModule): string[] => {
  if (!isTree(slice)) return []
  const texts = slice.columns.filter((column) => column.inCreate && column.kind === 'TEXT')
  // A rule over several columns is not visible in any one of them.
  const ruled = slice.unnamed.some(({ means }) => means === 'duplicate')
  const single =
    texts.find((column) => column.single) ?? (ruled ? texts.find(({ form }) => form === 'INPUT') : undefined)
  const other = single ? `, ${single.key}: ${literal('third'.slice(0, single.length ?? 10))}` : ''
  const below = `const below = await admin.call('POST', \`\${at}/create\`, { ...draft()${other}, parentId: id })`
  return [
    '',
    "it('has a parent, forms no cycle, and is not deleted with rows below it', async () => {",
    '  const id = await create()',
    wrapLine(`  ${below}`, [
      "  const below = await admin.call('POST', `${at}/create`, {",
      '    ...draft(),',
      ...(single ? [`   ${other.slice(1)},`] : []),
      '    parentId: id,',
      '  })',
    ]),
    "  const ring = await admin.call('PUT', `${at}/update`, { id, version: 1, parentId: Number(below.data) })",
    "  expect(errorFields(ring)).toEqual(['parentId'])",
    '  expect((await remove(id)).code).toBe(codes.referred.code)',
    ...(isMovable(slice)
      ? [
          "  const move = (given: object) => admin.call('PUT', `${at}/move`, given)",
          '  const up = { id: Number(below.data), parentId: 0, beforeId: id }',
          '  expect((await move({ ...up, version: 9 })).code).toBe(codes.stale.code)',
          '  expect((await move({ ...up, version: 1 })).code).toBe(200)',
          `  const order = rowsIn(await admin.call('GET', \`\${at}/list\`)).map((row) => row['id'])`,
          '  expect(order).toEqual([Number(below.data), id])',
          "  expect(errorFields(await move({ ...up, parentId: up.id, beforeId: null }))).toEqual(['parentId'])",
        ]
      : []),
    '  expect((await remove(Number(below.data))).code).toBe(200)',
    '  expect((await remove(id)).code).toBe(200)',
    '})',
  ]
}

const partTest = (slice: CrudModule): string[] =>
  slice.parts.flatMap((part) => {
    const values = (second: boolean) =>
      part.columns
        .filter((column) => column.form && column.inCreate)
        .map((column) => `${column.key}: ${sampleValue(column, second)}`)
    const writeRow = (second: boolean) => `{ ${values(second).join(', ')} }`
    return [
      '',
      `it('creates and deletes its ${part.set} with it', async () => {`,
      arrayLiteral('  ', 'const [one, other] = ', [writeRow(false), writeRow(true)], ''),
      `  const made = await admin.call('POST', \`\${at}/create\`, { ...draft(), ${part.set}: [one] })`,
      '  const id = Number(made.data)',
      "  const of = async () => (await admin.call('GET', `${at}/get?id=${id}`)).data ?? {}",
      `  const row = ((await of())['${part.set}'] as unknown as { id: number }[])[0]`,
      '  expect(row).toMatchObject(one)',
      `  const edit = { id, version: 1, ${part.set}: [${part.one ? '{ ...other, id: row?.id }' : '{ ...other, id: row?.id }, one'}] }`,
      "  expect((await admin.call('PUT', `${at}/update`, edit)).code).toBe(200)",
      `  expect((await of())['${part.set}']).toMatchObject([${part.one ? '{ ...other, id: row?.id }' : '{ ...other, id: row?.id }, one'}])`,
      `  const foreign = { id, version: 2, ${part.set}: [{ ...one, id: 999_999 }] }`,
      "  expect((await admin.call('PUT', `${at}/update`, foreign)).code).toBe(codes.notFound.code)",
      `  expect(await of()).toMatchObject({ version: 2, ${part.set}: [${part.one ? 'other' : 'other, one'}] })`,
      '  expect((await remove(id)).code).toBe(200)',
      '})',
    ]
  })

/** Cases that only some modules have. */
export const emitExtraTests = (slice: CrudModule): string[] => [
  ...sightTest(slice),
  ...schoolTest(slice),
  ...decimalTest(slice),
  ...wordTest(slice),
  ...carriedTest(slice),
  ...pictureTest(slice),
  ...fileTest(slice),
  ...treeTest(slice),
  ...partTest(slice),
]
