import type {
  CodegenColumn,
  CodegenExcludedColumn,
  CodegenFullDetail,
  QueryType,
} from '@tocsin/contract/codegen/codegen'
import { describe, expect, it } from 'vitest'
import { guessColumn, guessTable, toPlainText } from '../guess.ts'
import type { DbColumn } from '../structure.ts'
import { generate } from './generate.ts'
import { wrapLine, literal, sqlText } from './source-text.ts'
import { isFree, openSources } from './names.ts'

describe('texts in code', () => {
  it.each(["it's", 'a "b"', `'"'`, 'back\\slash', '${x}', '*/', '`', "''\""])('%s stays one literal', (text) => {
    // A TypeScript literal without escapes of its own is a JSON string with other quotes.
    const inner = literal(text).slice(1, -1).replaceAll("\\'", "'").replaceAll('\\"', '"').replaceAll('\\\\', '\\')
    expect(inner).toBe(text)
    expect(literal(text)[0]).toBe(literal(text).at(-1))
    expect(literal(text).slice(1, -1)).not.toMatch(new RegExp(`(?<!\\\\)(?:\\\\\\\\)*${literal(text)[0]}`))
  })

  it('are escaped by doubled quotes in SQL', () => {
    expect(sqlText("'); drop table users; --")).toBe("'''); drop table users; --'")
  })

  it('lose line ends and invisible or reversing characters', () => {
    expect(toPlainText('a\u2028b\u0000c\u202Ed\r\n e\t', 20)).toBe('a b c d e')
    expect(toPlainText(' 访客 ', 1)).toBe('访')
  })

  it('are wrapped by their display width', () => {
    expect(wrapLine('访'.repeat(60), ['broken'])).not.toBe('broken')
    expect(wrapLine('访'.repeat(61), ['broken'])).toBe('broken')
  })
})

describe('names', () => {
  it.each(['class', 'default', 'page', 'school', 'user', 'notice', 'constructor', 'toString', 'code', 'codes'])(
    '%s is no name for an entity',
    (name) => expect(isFree(name, openSources())).toBe(false),
  )
  it('are available when nothing uses them', () => expect(isFree('samplePass', openSources())).toBe(true))
})

const column = (name: string, more: Partial<DbColumn>): DbColumn => ({
  name,
  dataType: 'character varying(20)',
  kind: 'TEXT',
  length: 20,
  nullable: false,
  preset: null,
  single: false,
  refers: null,
  words: [],
  comment: null,
  ...more,
})

const detailOf = (columns: DbColumn[], each: (column: Omit<CodegenColumn, 'id'>) => object): CodegenFullDetail => ({
  leftOut: [],
  looked: false,
  table: {
    ...guessTable({ name: 'sample_pass', comment: '通行证', keyed: true, rules: [], columns }),
    id: 1,
    tableName: 'sample_pass',
    comment: '通行证',
    version: 1,
    createTime: new Date(),
    creator: null,
    updateTime: new Date(),
    updater: null,
  },
  columns: columns.map((column, at) => {
    const guessed = guessColumn(column, at)
    return { ...guessed, ...each(guessed), id: at + 1 }
  }),
})

const fileOf = (detail: CodegenFullDetail, ending: string): string =>
  generate([{ main: detail, parts: [], unnamed: [] }]).find(({ filePath }) => filePath.endsWith(ending))?.code ?? ''

describe('a filter', () => {
  const written = (kind: 'TEXT' | 'INT', queryType: QueryType) =>
    detailOf([column('full_name', {}), column('amount', { kind, length: null })], ({ columnName }) => ({
      inQuery: columnName === 'amount',
      ...(columnName === 'amount' && { queryType }),
    }))
  const server = (kind: 'TEXT' | 'INT', queryType: QueryType) =>
    fileOf(written(kind, queryType), 'server/src/areas/school/sample-pass/sample-pass.ts')

  it.each([
    ['NE', "'!=', value)"],
    ['GT', "'>', value)"],
    ['GE', "'>=', value)"],
    ['LT', "'<', value)"],
    ['LE', "'<=', value)"],
  ] as const)('%s of a number compares', (operator, code) => {
    expect(server('INT', operator)).toContain(`amount: (on, value) => on('amount', ${code}`)
  })

  it.each([
    // `likePattern` puts a wildcard on both sides.
    ['LIKE_LEFT', "'ilike', likePattern(value).slice(0, -1))"],
    ['LIKE_RIGHT', "'ilike', likePattern(value).slice(1))"],
  ] as const)('%s of a text finds it there', (operator, code) => {
    expect(server('TEXT', operator)).toContain(`amount: (on, value) => on('amount', ${code}`)
  })

  it('of BETWEEN has two ends', () => {
    expect(server('INT', 'BETWEEN')).toContain("amountFrom: (on, value) => on('amount', '>=', value)")
    expect(server('INT', 'BETWEEN')).toContain("amountTo: (on, value) => on('amount', '<=', value)")
    const contract = fileOf(written('INT', 'BETWEEN'), 'contract/src/school/sample-pass/sample-pass.ts')
    expect(contract + fileOf(written('INT', 'BETWEEN'), 'contract/src/school/sample-pass.ts')).toContain(
      'amountFrom: field(',
    )
  })
})

it('explains what the database rejects: a duplicate value, a missing file, a row that is still referenced', () => {
  const big = { dataType: 'bigint', kind: 'BIGINT', length: null } as const
  const columns = [
    column('full_name', { single: true }),
    column('photo_id', { ...big, nullable: true, refers: 'file' }),
    column('owner_id', { ...big, nullable: true, refers: 'users' }),
  ]
  const detail = detailOf(columns, () => ({}))
  const server = fileOf(detail, 'server/src/areas/school/sample-pass/sample-pass.ts')
  const result = [...server.matchAll(/^  (sample_pass_\w+): \{ code: codes\.(\w+),/gm)].map(([, name, code]) => [
    name,
    code,
  ])
  expect(result).toEqual([
    ['sample_pass_full_name_key', 'duplicate'],
    ['sample_pass_photo_id_fkey', 'notFound'],
    ['sample_pass_owner_id_fkey', 'referred'],
    ['sample_pass_dept_id_fkey', 'referred'],
  ])
  const migration = fileOf(detail, '_sample_pass.sql')
  for (const [name = ''] of result) expect(migration).toContain(`constraint "${name}"`)
})

it('uses a text for a reference by text, without an id', () => {
  const columns = [column('full_name', {}), column('dict_type', { nullable: true, refers: 'dict_type' })]
  const detail = detailOf(columns, () => ({}))
  const contract = ['', 'sample-pass/'].map((folder) => fileOf(detail, `contract/src/school/${folder}sample-pass.ts`))
  expect(contract.join('')).toContain('dictType: field(z.string().nullable(), ')
  expect(fileOf(detail, '_sample_pass.sql')).toContain('  "dict_type" varchar(20),')
})

it('names the constraint of a child table once, though it refers to a project table twice', () => {
  const big = { dataType: 'bigint', kind: 'BIGINT', length: null, refers: 'school' } as const
  const columns = [column('school_id', big), column('near_id', { ...big, nullable: true })]
  const part = detailOf(columns, () => ({}))
  const main = detailOf([column('full_name', {})], () => ({}))
  const rules = ['sample_pass_school_id_fkey', 'sample_pass_near_id_fkey']
  const files = generate([
    {
      main: { ...main, table: { ...main.table, tableName: 'school', entity: 'campus' } },
      parts: [{ ...part, table: { ...part.table, template: 'SUB', joinColumn: 'school_id' } }],
      unnamed: rules.map((rule) => ({ rule, means: 'referred' })),
    },
  ])
  const server = files.find(({ filePath }) => filePath.endsWith('areas/school/campus/campus.ts'))
  expect(rules.map((rule) => server?.code.split(`  ${rule}: {`).length)).toEqual([2, 2])
})

it('keeps a document or a list of numbers in the table, and out of responses, forms and spreadsheets', () => {
  const left = (
    columnName: string,
    dataType: string,
    more: Partial<CodegenExcludedColumn> = {},
  ): CodegenExcludedColumn => ({
    columnName,
    dataType,
    nullable: true,
    preset: null,
    comment: null,
    ...more,
  })
  const detail = {
    ...detailOf([column('full_name', {})], () => ({})),
    leftOut: [
      left('seat_plan', 'jsonb'),
      left('marks', 'integer[]', { nullable: false, preset: "'{}'", comment: '分数' }),
    ],
  }
  const migration = fileOf(detail, '_sample_pass.sql')
  expect(migration).toContain('  "seat_plan" jsonb,\n  "marks" integer[] not null default \'{}\',\n')
  expect(migration).toContain('comment on column "sample_pass"."marks" is \'分数\';')
  // In a full folder, in a folder of its own.
  const row = ['', 'sample-pass/'].map((folder) => fileOf(detail, `db/tables/${folder}sample-pass.ts`)).join('')
  expect(row).toContain(
    'SamplePass.extend({\n      seatPlan: Jsonb.nullable(),\n      marks: z.array(z.number()),\n    }),',
  )
  expect(row).toContain("    [...editedFilled, 'marks'],")
  for (const ending of [
    'contract/src/school/sample-pass.ts',
    'contract/src/school/sample-pass/sample-pass.ts',
    'areas/school/sample-pass/sample-pass.ts',
    'Page.tsx',
  ])
    expect(fileOf(detail, ending)).not.toMatch(/seatPlan|marks/)
  expect(fileOf(detail, 'GENERATED-sample-pass.md')).toContain('- `sample_pass.seat_plan` jsonb')
})

describe('registries', () => {
  const open = (sight: 'OPEN' | 'DEPT') => {
    const detail = detailOf([column('full_name', {})], () => ({}))
    return { ...detail, table: { ...detail.table, sight } }
  }

  it('get one line each, and keep the others', () => {
    const screens = fileOf(open('DEPT'), 'src/screens.ts')
    expect(screens).toContain("  'school/sample-pass/index': async () =>")
    expect(screens).toContain("'system/role/index'")
    const entities = fileOf(open('DEPT'), 'areas/entities.ts')
    expect(entities).toContain("import { samplePassEntity } from './school/sample-pass/sample-pass.ts'")
    expect(entities).toMatch(/= \[[^\]]*\bdictionaries,[^\]]*\bsamplePassEntity,?\n?\]/)
  })

  it('get the label for the operation log, unless a project table has one', () => {
    const words = fileOf(open('DEPT'), 'contract/src/audit/audit-labels.ts')
    expect(words).toContain("  'school:sample-pass': ['通行证', 'Sample pass'],\n}")
    expect(words).toContain("  sample_pass: ['通行证', 'Sample pass'],\n}")
    const detail = open('OPEN')
    const ofProduct = { ...detail, table: { ...detail.table, tableName: 'dict_type', entity: 'sampleWord' } }
    const again = fileOf(ofProduct, 'contract/src/audit/audit-labels.ts')
    expect(again).toContain("  'school:sample-word': [")
    expect(again.match(/^  dict_type: .*/gm)).toEqual(["  dict_type: ['字典类型', 'Dictionary'],"])
  })

  it('list a text without a draft in the schema test, and nothing else', () => {
    const columns = [
      column('full_name', {}),
      column('origin', { nullable: true }),
      column('story', { nullable: true, dataType: 'text', length: null }),
      column('state', { nullable: true, words: ['NEW', 'OLD'] }),
    ]
    const named = (given: boolean) =>
      fileOf(
        detailOf(columns, ({ columnName }) => {
          const isGiven = given || columnName === 'full_name'
          return { inCreate: isGiven, inUpdate: isGiven }
        }),
        'tools/schema.test.ts',
      )
    expect(named(false).match(/^ {4}'samplePass\..*/gm)).toEqual(["    'samplePass.origin': 'nobody: no form has it',"])
    expect(named(true)).toBe('')
  })

  it('list a table without visibility in the contract test, and no other', () => {
    expect(fileOf(open('OPEN'), 'tools/contract.test.ts')).toContain('|school\\/sample-pass)/.test(')
    expect(fileOf(open('DEPT'), 'tools/contract.test.ts')).toBe('')
  })
})
