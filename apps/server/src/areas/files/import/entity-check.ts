import { codes } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import type { ImportNotes, ImportReason } from '@tocsin/contract/files/import'
import { z } from 'zod'
import { cellError, ruleError, ruleErrorsFrom } from './cell-errors.ts'
import { type CellReader, type CellResult, readerFor } from './cell-readers.ts'
import type { CheckContext, LineCheck, ResolvedLine, SheetRow } from './importer.ts'

/** How a column becomes a field of the draft. Without `read` the type of that field says how cells are read. */
export type EntityColumn = {
  /** The field of the draft; absent: the one named like the column. */
  field?: string
  read?: CellReader
}

/** An existing row that a line may mean. */
export type ExistingRow<D> = { id: number; values: Partial<D> }

/** What an entity states about its import, opened for each check. */
export type EntityRules<D extends object> = {
  /** Columns that are not read as they are, such as references by code or name. */
  columns?: Readonly<Record<string, EntityColumn>>
  /** Values of new rows for fields that a line leaves empty, named in the notes of the import. */
  defaults?: Partial<D>
  /** What must be unique, as column and the text that is compared; repeated in the file it is an error. */
  uniqueKeys: (draft: Partial<D>) => readonly (readonly [column: string, key: string])[]
  /** The existing rows that these drafts mean, each by the key that `keyOf` gives its draft. */
  findExisting: (drafts: readonly Partial<D>[]) => Promise<ReadonlyMap<string, ExistingRow<D>>>
  keyOf: (draft: Partial<D>) => string | undefined
  /** Further rules of a row, with those that ask the database. */
  check?: (draft: Partial<D>, existing: ExistingRow<D> | undefined) => Promise<ImportReason[]>
}

type EntityImport<D extends object> = {
  sheet: z.ZodObject
  /** The draft of the form, in its decoded shape. */
  draft: z.ZodObject
  /** The column whose cell is marked for what concerns the whole row. */
  key: string
  open: (context: CheckContext) => Promise<EntityRules<D>>
}

type Read<D> = SheetRow & { draft: Partial<D>; reasons: ImportReason[] }

const columnFields = (columns: EntityRules<object>['columns'], sheet: z.ZodObject) =>
  new Map(Object.keys(sheet.shape).map((column) => [columns?.[column]?.field ?? column, column]))

/** Reads the filled cells of a line, each by itself. */
const readCells = <D extends object>(row: SheetRow, { sheet, draft }: EntityImport<D>, rules: EntityRules<D>) => {
  const values: Record<string, unknown> = {}
  const reasons: ImportReason[] = []
  for (const [column, text] of Object.entries(row.cells)) {
    const { field = column, read } = rules.columns?.[column] ?? {}
    const schema = draft.shape[field] as z.ZodType
    const result: CellResult = (read ?? readerFor(schema))(text)
    if ('code' in result) reasons.push(cellError(column, result.code, result.params))
    else if ('rule' in result) reasons.push(ruleError(sheet, column, result.rule))
    else {
      const decoded = z.safeDecode(schema, result.value as never, { reportInput: true })
      if (decoded.success) values[field] = decoded.data
      else reasons.push(...ruleErrorsFrom(sheet, column, decoded.error.issues))
    }
  }
  // The shape of the draft decoded each value.
  return { ...row, draft: values as Partial<D>, reasons } satisfies Read<D>
}

const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The draft as it travels: stored as JSON, it keeps instants. */
const encodeDraft = <D extends object>(draft: Partial<D>, { draft: schema }: EntityImport<D>): object =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [name, z.encode(schema.shape[name] as z.ZodType, value as never)]),
  )

/** What was put into new rows, for the notes of the import. */
const describeDefaults = <D extends object>(
  { draft }: EntityImport<D>,
  { defaults = {} }: EntityRules<D>,
  filled: ReadonlyMap<string, number>,
): ImportNotes['defaults'] =>
  [...filled].map(([name, rows]) => {
    const label = labelOf(draft.shape[name] as z.ZodType)
    const value = String((defaults as Record<string, unknown>)[name])
    return { title: label?.title ?? name, titleEn: label?.titleEn ?? name, value, rows }
  })

/** The fields that a line changes. */
const changedFields = <D extends object>(draft: Partial<D>, { values }: ExistingRow<D>): Partial<D> =>
  // Some of the draft's own fields.
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isEqual(value, values[name as keyof D])),
  ) as Partial<D>

const createRepeatCheck = () => {
  const lines = new Map<string, number>()
  return (line: number, keys: ReturnType<EntityRules<object>['uniqueKeys']>): ImportReason[] =>
    keys.flatMap(([column, text]) => {
      const key = `${column} ${text}`
      const before = lines.get(key)
      if (before !== undefined) return [cellError(column, codes.importTwice, { line: before })]
      lines.set(key, line)
      return []
    })
}

/** What the draft's schema says of a whole new row, such as fields that are missing. */
const missingFields = <D extends object>(
  draft: Partial<D>,
  { sheet, draft: schema, key }: EntityImport<D>,
  given: { fields: ReadonlyMap<string, string>; reported: ReadonlySet<string> },
): ImportReason[] =>
  Object.entries(schema.shape).flatMap(([name, type]) => {
    const column = given.fields.get(name) ?? key
    if (name in draft || given.reported.has(column)) return []
    const { success } = (type as z.ZodType).safeParse(undefined)
    return success ? [] : [ruleError(sheet, column, 'required')]
  })

/**
 * The check of one entity: reads cells by the contract's schemas, finds repeated and existing rows, and returns the
 * outcome of each line. Empty cells leave a field unchanged, or at its default.
 */
export const openEntityCheck = async <D extends object>(
  of: EntityImport<D>,
  context: CheckContext,
): Promise<LineCheck> => {
  const rules = await of.open(context)
  const fields = columnFields(rules.columns, of.sheet)
  const repeats = createRepeatCheck()
  const filled = new Map<string, number>()

  const countDefaults = (draft: Partial<D>) => {
    for (const name of Object.keys(rules.defaults ?? {}))
      if (!(name in draft)) filled.set(name, (filled.get(name) ?? 0) + 1)
  }
  const resolveNew = async (row: Read<D>): Promise<ResolvedLine> => {
    const draft = { ...rules.defaults, ...row.draft }
    const reported = new Set(row.reasons.map(({ field }) => field))
    const reasons = [
      ...row.reasons,
      ...missingFields(draft, of, { fields, reported }),
      ...((await rules.check?.(draft, undefined)) ?? []),
    ]
    const isBad = reasons.length > 0
    if (!isBad && !row.hasErrors) countDefaults(row.draft)
    return { ...row, draft: encodeDraft(draft, of), reasons, verdict: isBad ? 'BAD' : 'CREATE', targetId: null }
  }
  const resolveExisting = async (row: Read<D>, existing: ExistingRow<D>): Promise<ResolvedLine> => {
    const draft = changedFields(row.draft, existing)
    const exists = context.data.updateSupport ? [] : [cellError(of.key, codes.importExists)]
    const isSame = Object.keys(draft).length === 0
    const more = isSame || exists.length > 0 ? [] : ((await rules.check?.(draft, existing)) ?? [])
    const reasons = [...row.reasons, ...exists, ...more]
    const verdict = reasons.length > 0 ? 'BAD' : isSame ? 'SAME' : 'UPDATE'
    return {
      ...row,
      draft: encodeDraft(draft, of),
      reasons,
      verdict,
      targetId: reasons.length > 0 ? null : existing.id,
    }
  }
  const resolve = async (lines: readonly SheetRow[]): Promise<ResolvedLine[]> => {
    const rows = lines.map((line) => readCells(line, of, rules))
    const existing = await rules.findExisting(rows.map(({ draft }) => draft))
    const resolved: ResolvedLine[] = []
    for (const row of rows) {
      const key = rules.keyOf(row.draft)
      const found = key === undefined ? undefined : existing.get(key)
      const reasons = [...row.reasons, ...repeats(row.line, rules.uniqueKeys(row.draft))]
      const read = { ...row, reasons }
      resolved.push(found ? await resolveExisting(read, found) : await resolveNew(read))
    }
    return resolved
  }
  return { resolve, defaults: () => describeDefaults(of, rules, filled) }
}
