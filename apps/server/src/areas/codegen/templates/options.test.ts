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
import { guessColumn, guessTable } from '../guess.ts'
import type { DbColumn } from '../structure.ts'
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

/** The fields that the form has, each with its options. */
const fieldIn = (page: string, key: string): string | undefined => {
  const [, fields = ''] = /fields=\{(?:\(optionTry\) => )?\[([\s\S]*?)\]\}/.exec(page) ?? []
  return new RegExp(`\\{ name: '${key}'[^\\n]*\\}|'${key}'`).exec(fields)?.[0]
}

/** How the field says that its input is not the usual one of its schema. */
const choiceOf = (formType: FormType, { length, words }: DbColumn, dictType: string | null): string | undefined => {
  const isPlain = words.length === 0 && dictType === null
  const choices: Partial<Record<FormType, string | undefined>> = {
    INPUT: isPlain && length === null ? "as: 'oneLine'" : undefined,
    TEXTAREA: isPlain && length !== null ? "as: 'multiLine'" : undefined,
    RADIO: "as: 'radio'",
    CHECKBOX: "as: 'checkbox'",
    EDITOR: "as: 'richText'",
    IMAGE: 'control: <StoredImageField made={optionTry?.amountFile} />',
    FILE: 'control: <StoredFileField made={optionTry?.amountFile} />',
    SCHOOL: 'control: <SchoolSelect />',
  }
  return choices[formType]
}

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
    const code = filesOf(column, chosen, templateOf(column))
    const field = fieldIn(code('OptionTryPage.tsx'), key)
    if (dictType !== null) expect(code('contract/src/security/option-try.ts')).toContain(`inDict(`)
    if (formType === 'HIDDEN') {
      expect(field).toBeUndefined()
      expect(code('contract/src/security/option-try.ts')).toContain(`${key}: true`)
      return
    }
    const choice = choiceOf(formType, column, dictType)
    if (choice) expect(field).toContain(choice)
    else expect(field).not.toMatch(/as:|control:/)
    if (exampleForms.has(formType)) expect(field).toContain("placeholder: 'like this'")
    else expect(field).not.toContain('like this')
  })
})

/** The conditions that are not those of a plain filter. */
const operators: Record<Exclude<QueryType, 'BETWEEN'>, string> = {
  EQ: "on('amount', '=', value)",
  NE: "on('amount', '!=', value)",
  GT: "on('amount', '>', value)",
  GE: "on('amount', '>=', value)",
  LT: "on('amount', '<', value)",
  LE: "on('amount', '<=', value)",
  LIKE: '',
  LIKE_LEFT: "on('amount', 'ilike', likePattern(value).slice(0, -1))",
  LIKE_RIGHT: "on('amount', 'ilike', likePattern(value).slice(1))",
  IN: '',
}
/** An equal value is the plain filter of what is no text. */
const isPlain = (queryType: QueryType, { kind, words }: DbColumn) =>
  ['LIKE', 'IN'].includes(queryType) ||
  (queryType === 'EQ' && (words.length > 0 || !['TEXT', 'LIST'].includes(kind ?? '')))
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
      expect(server).toContain("amountFrom: (on, value) => on('amount', '>=', value)")
      expect(server).toContain("amountTo: (on, value) => on('amount', '<=', value)")
      expect(page).toContain("filters={['amountFrom', 'amountTo']}")
      return
    }
    expect(page).toContain("filters={['amount']}")
    if (isPlain(queryType, column)) expect(server).not.toContain('amount: (on')
    else
      expect(server).toContain(
        `amount: (on, value) => ${column.kind === 'LIST' ? "on(on.val(value), '=', on.fn.any('amount'))" : operators[queryType]}`,
      )
    const contract = code('contract/src/security/option-try.ts')
    if (queryType === 'IN') expect(contract).toMatch(/amount: field\((inDict\()?(queryList|queryTexts)\(/)
    if (dictType !== null) expect(contract).toMatch(/amount: field\(inDict\(.*\.optional\(\)/)
  })
})

describe('a flag', () => {
  const column = dbColumn('amount', { kind: 'INT' })
  const none = { inList: false, inCreate: false, inUpdate: false, inQuery: false, required: false }
  const contract = (chosen: Chosen) => filesOf(column, { ...none, ...chosen })('contract/src/security/option-try.ts')

  it('adds the column to the list and the export', () => {
    for (const inList of [true, false]) {
      const code = filesOf(column, { ...none, inList })
      const [, columns = ''] = /EntityColumn<OptionTry>\[\] = \[(.*)\]/.exec(code('OptionTryPage.tsx')) ?? []
      const [, exported = ''] = /exported: \[(.*)\]/.exec(code('areas/security/option-try/option-try.ts')) ?? []
      for (const list of [columns, exported]) expect(list.includes("'amount'")).toBe(inList)
    }
  })

  it('adds it to the form of new rows, of existing ones, or of both', () => {
    const both = { inCreate: true, inUpdate: true }
    expect(contract({})).not.toContain('amount: field(z.int32()')
    const page = (chosen: Chosen) => filesOf(column, { ...none, ...chosen })('OptionTryPage.tsx')
    const server = (chosen: Chosen) =>
      filesOf(column, { ...none, ...chosen })('areas/security/option-try/option-try.ts')
    expect(page({ inCreate: true })).toContain("{ name: 'amount', disabled: optionTry !== undefined }")
    expect(server({ inCreate: true })).toContain("fixed: ['amount']")
    expect(page({ inUpdate: true })).toContain("...(optionTry ? (['amount'] as const) : [])")
    expect(page(both)).toContain("fields={['label', 'amount']}")
    expect(server(both)).not.toContain('fixed:')
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
