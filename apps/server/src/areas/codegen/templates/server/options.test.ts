import {
  type CodegenColumn,
  type CodegenKind,
  type CodegenFullDetail,
  codegenKinds,
  exampleForms,
  type FormType,
  formTypes,
  type QueryType,
  queryTypes,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf, needsDict, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import { describe, expect, it } from 'vitest'
import { guessColumn, guessTable } from '../../guess.ts'
import type { DbColumn } from '../../structure.ts'
import { generate } from './generate.ts'

// Every option of a column on the screen changes the generated files.

const dataTypes: Record<CodegenKind, string> = {
  TEXT: 'text',
  INT: 'integer',
  BIGINT: 'bigint',
  FLOAT: 'double precision',
  BOOL: 'boolean',
  DAY: 'date',
  INSTANT: 'timestamp with time zone',
  LIST: 'text[]',
}
const dbColumn = (name: string, more: Partial<DbColumn>): DbColumn => ({
  name,
  dataType: dataTypes[more.kind ?? 'TEXT'],
  kind: 'TEXT',
  length: null,
  nullable: true,
  preset: null,
  single: false,
  refers: null,
  words: [],
  comment: null,
  ...more,
})

type Chosen = Partial<Omit<CodegenColumn, 'id'>>
const LABEL = dbColumn('label', { dataType: 'character varying(20)', length: 20, nullable: false })

/** The files of a table with a label and the tested column. */
const filesOf = (column: DbColumn, chosen: Chosen, template: 'SINGLE' | 'TREE' = 'SINGLE') => {
  const structure = { name: 'option_try', comment: null, keyed: true, rules: [], columns: [LABEL, column] }
  const whole: CodegenFullDetail = {
    leftOut: [],
    looked: false,
    table: {
      ...guessTable(structure),
      template,
      sight: 'OPEN',
      area: 'security',
      entity: 'optionTry',
      id: 1,
      tableName: 'option_try',
      comment: null,
      version: 1,
      createTime: new Date(),
      creator: null,
      updateTime: new Date(),
      updater: null,
    },
    columns: [LABEL, column].map((item, at) => ({
      ...guessColumn(item, at, template),
      ...(item === column && chosen),
      id: at + 1,
    })),
  }
  const files = generate([{ main: whole, parts: [], unnamed: [] }])
  return (ending: string) => files.find(({ filePath, list }) => !list && filePath.endsWith(ending))?.code ?? ''
}

const tried: readonly [name: string, column: DbColumn][] = [
  ...codegenKinds.map((kind): [string, DbColumn] => [kind, dbColumn('amount', { kind })]),
  ['numeric', dbColumn('amount', { kind: 'FLOAT', dataType: 'numeric(8,2)' })],
  ['short text', dbColumn('amount', { dataType: 'character varying(9)', length: 9 })],
  ['words', dbColumn('amount', { dataType: 'character varying(9)', length: 9, words: ['A', 'B'] })],
  ['a file', dbColumn('amount', { kind: 'BIGINT', refers: 'file' })],
  ['a school', dbColumn('school_id', { kind: 'BIGINT', refers: 'school' })],
  ['a parent', dbColumn('parent_id', { kind: 'BIGINT', refers: 'option_try' })],
]
const DICTS = [null, 'system_user_sex'] as const
const mayHaveDict = ({ kind, words }: DbColumn) => (kind === 'TEXT' || kind === 'LIST') && words.length === 0
const shapes = tried.flatMap(([name, column]) =>
  DICTS.filter((dictType) => dictType === null || mayHaveDict(column)).map((dictType) => ({
    name: dictType ? `${name} of a dictionary` : name,
    column,
    dictType,
    shape: { ...guessColumn(column, 1), dictType },
  })),
)

const elements: Record<FormType, RegExp> = {
  INPUT: /<Input(?!\.|Number)/,
  TEXTAREA: /<Input\.TextArea/,
  NUMBER: /<InputNumber/,
  SWITCH: /<Switch/,
  SELECT: /<(Dict)?Select/,
  RADIO: /<(DictRadio|Radio\.Group)/,
  CHECKBOX: /<(DictCheckboxes|Checkbox)/,
  DATE: /<DayPicker/,
  DATETIME: /<InstantPicker/,
  IMAGE: /<StoredImageField/,
  FILE: /<StoredFileField/,
  EDITOR: /<RichEditor/,
  SCHOOL: /<SchoolSelect/,
  PARENT: /<ParentSelect/,
  HIDDEN: /\bhidden>\s+<HiddenValue \/>/,
}
/** The form field of the column in the drawer. */
const fieldIn = (drawer: string, key: string): string => drawer.split(`name="${key}"`)[1]?.split('</Field>')[0] ?? ''

const templateOf = ({ name }: DbColumn) => (name === 'parent_id' ? 'TREE' : 'SINGLE')
const inputs = shapes.flatMap(({ name, column, dictType, shape }) =>
  formTypesOf(shape, templateOf(column))
    .filter((formType) => dictType !== null || !needsDict(formType, shape))
    .map((formType) => [formType, name, column, dictType] as const),
)

describe('a form type', () => {
  it.each(shapes)('of $name is guessed from the supported ones, if any', ({ column, shape }) => {
    const offered = formTypesOf(shape, 'SINGLE')
    const undecided = guessColumn(column, 1)
    if (shape.dictType === null && offered.length > 0) expect(offered).toContain(undecided.formType)
  })

  it('is supported by some column, each of them', () => {
    expect([...new Set(inputs.map(([formType]) => formType))].toSorted()).toEqual([...formTypes].toSorted())
  })

  it.each(inputs)('%s of %s selects the input of the form and its example', (formType, _, column, dictType) => {
    const key = column.name.replace(/_(.)/, (__, letter: string) => letter.toUpperCase())
    const chosen = { formType, dictType, inList: false, inCreate: true, inUpdate: true, example: 'like this' }
    const field = fieldIn(filesOf(column, chosen, templateOf(column))('OptionTryDrawer.tsx'), key)
    expect(field).toMatch(elements[formType])
    if (dictType !== null && formType !== 'HIDDEN') expect(field).toContain(`type="${dictType}"`)
    if (exampleForms.has(formType)) expect(field).toContain('placeholder="like this"')
    else expect(field).not.toContain('like this')
  })
})

const operators: Record<Exclude<QueryType, 'BETWEEN'>, string> = {
  EQ: "'=', query.amount)",
  NE: "'!=', query.amount)",
  GT: "'>', query.amount)",
  GE: "'>=', query.amount)",
  LT: "'<', query.amount)",
  LE: "'<=', query.amount)",
  LIKE: "'ilike', likePattern(query.amount))",
  LIKE_LEFT: "'ilike', likePattern(query.amount).slice(0, -1))",
  LIKE_RIGHT: "'ilike', likePattern(query.amount).slice(1))",
  IN: "'in', query.amount)",
}
const searches = shapes
  .filter(({ column }) => column.name === 'amount')
  .flatMap(({ name, column, dictType, shape }) =>
    queryTypesOf(shape).map((queryType) => [queryType, name, column, dictType] as const),
  )

describe('an operator', () => {
  it('is supported by some column, each of them', () => {
    expect([...new Set(searches.map(([queryType]) => queryType))].toSorted()).toEqual([...queryTypes].toSorted())
  })

  it.each(searches)('%s of %s filters the list and has an input', (queryType, _, column, dictType) => {
    const code = filesOf(column, { inQuery: true, queryType, dictType, inCreate: false, inUpdate: false })
    const server = code('areas/security/option-try/option-try.ts')
    const page = code('OptionTryPage.tsx')
    if (queryType === 'BETWEEN') {
      expect(server).toContain("where('amount', '>=', query.amountFrom)")
      expect(server).toContain("where('amount', '<=', query.amountTo)")
      expect(page.match(/<Filter of=\{OptionTryQuery\} name="amount(From|To)">/g)).toHaveLength(2)
      return
    }
    expect(server).toContain(column.kind === 'LIST' ? "'=', fn.any('amount'))" : operators[queryType])
    expect(page).toContain('<Filter of={OptionTryQuery} name="amount">')
    if (queryType === 'IN') expect(page).toContain('mode="multiple"')
    if (dictType !== null && column.kind !== 'LIST') expect(page).toContain(`<DictSelect type="${dictType}" allowClear`)
  })
})

describe('a flag', () => {
  const column = dbColumn('amount', { kind: 'INT' })
  const none = { inList: false, inCreate: false, inUpdate: false, inQuery: false, required: false }
  const contract = (chosen: Chosen) => filesOf(column, { ...none, ...chosen })('contract/src/security/option-try.ts')

  it('adds the column to the list and the export', () => {
    for (const [inList, times] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const code = filesOf(column, { ...none, inList })
      expect(code('OptionTryPage.tsx').split("column(OptionTry, 'amount'")).toHaveLength(times)
      expect(code('option-try/export.ts').split("sheetColumn(OptionTry, 'amount'")).toHaveLength(times)
    }
  })

  it('adds it to the form of new rows, of existing ones, or of both', () => {
    expect(contract({})).not.toContain('amount: field(z.int32()')
    expect(contract({ inCreate: true })).toContain('OptionTryChange = OptionTryForm.omit({ amount: true })')
    expect(contract({ inUpdate: true })).toContain('OptionTryDraft = OptionTryForm.omit({ amount: true })')
    expect(contract({ inCreate: true, inUpdate: true })).toContain('OptionTryDraft = z.strictObject(')
  })

  it('makes it required, though the database does not', () => {
    expect(contract({ inCreate: true, required: true })).toContain('amount: field(z.int32(), ')
    expect(contract({ inCreate: true, required: false })).toContain('amount: field(z.int32().nullable(), ')
  })

  it('adds a filter', () => {
    expect(contract({ inQuery: true })).toContain('amount: field(queryInt(')
    expect(contract({})).not.toContain('queryInt(')
  })
})

describe('a name', () => {
  it('of a column is its title in both languages, in the configured order', () => {
    const chosen = { title: '数量', titleEn: 'How many', sort: 0, inCreate: true }
    const code = filesOf(dbColumn('amount', { kind: 'INT' }), chosen)
    expect(code('contract/src/security/option-try.ts')).toContain("'数量', 'How many'")
  })
})
