import { codes } from '@tocsin/contract/codes'
import type { Code } from '@tocsin/contract/codes/code'
import { dictTypesOf } from '@tocsin/contract/field'
import { type EventType, permissionsOfEvent, type RowEventType } from '@tocsin/contract/live'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import { z } from 'zod'
import type { Kysely } from 'kysely'
import type { Db } from '#db/db'
import type { NewEvent } from '#db/event'
import { scoped } from '#db/scope'
import { type Row, tables } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { createRow, deleteRow, type EditableTable, type EditedTable, lockRow, updateRow } from '../edit-row.ts'
import { changedColumns, fieldError, runEdit, runEditForEach } from '../edit-transaction.ts'
import { type ChildTables, createChildParts } from './child-rows.ts'
import type { ChangesOf, EditOf, EntityCalls, EntityDeclaration, NewOf, ReadCalls } from './declaration.ts'
import { checkDictValues } from './dict-values.ts'
import { checkLeaf, checkNoCycle, lockTree, placeAmongSiblings } from './tree.ts'
import type { AnyRow, AnyTables, EntityReads } from './entity-read.ts'

type Titled = { of: ReadCalls; missing?: Code }

/** The code for a row that does not exist, or that the user may not see. */
const missingCode = ({ of, missing }: Titled) =>
  missing ? { missing } : { missing: codes.notFound, params: { what: of.page.titles?.title ?? '' } }

export const missingError = (entity: Titled): BusinessError => {
  const { missing, params } = missingCode(entity)
  return new BusinessError(missing, params)
}

const withoutUndefined = (draft: AnyRow): AnyRow =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))

/** The fields that decide who sees the row: a user must not hand a row to those whom the user does not see. */
export const ownerReferences = (table: EditedTable): Record<string, string> => {
  const { sight } = tables[table]
  if (sight === 'open') return {}
  const { dept, school } = sight as { dept?: string; school?: string }
  const toField = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return { ...(dept && { [toField(dept)]: 'dept' }), ...(school && { [toField(school)]: 'school' }) }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type References = {
  draft: z.ZodObject
  /** The table that a field refers to. */
  targets: Readonly<Record<string, string>>
  changes: AnyRow
  /** The value before, which may stay. */
  held: (field: string) => unknown
}

/** Rejects a reference to a row that the user may not see, exactly like one that does not exist. */
const checkReferences = async (
  trx: Db,
  { actor }: Caller,
  { draft, targets, changes, held }: References,
): Promise<void> => {
  const seen = scoped(trx, actor) as unknown as Kysely<AnyTables>
  for (const [field, table] of Object.entries(targets)) {
    const id = changes[field]
    if (id === undefined || id === null || id === held(field)) continue
    // Everybody may read the names of departments; which ones a user sees is a set.
    const isHidden = table === 'dept' && actor.depts !== 'all' && !actor.depts.includes(Number(id))
    const row = await seen.selectFrom(table).select('id').where('id', '=', id).forShare().executeTakeFirst()
    if (!row || isHidden) throw fieldError(draft, field, 'choice')
  }
}

type VisibleRow = { id: number; schoolId?: number | null; deptId?: number | null }

/** An event of a row: the given one for everybody, or that of the entity for those who see the row. */
const rowEvent = ({ page }: EntityCalls, { id, schoolId, deptId }: VisibleRow, type?: EventType): NewEvent => {
  if (type) return { type, ref: id }
  const path = page.path.replace(/\/page$/, '') as RowEventType
  if (permissionsOfEvent(path)?.[0] !== page.permission) throw new Error(`${path} needs an event of its own`)
  return { type: path, ref: id, ...(schoolId && { schoolId }), ...(deptId && { deptId }) }
}

/** What belongs to a row in other tables. */
const createParts = <C extends EntityCalls, T extends EditedTable, D extends { db: Db }>({
  of,
  parts,
  children,
}: EntityDeclaration<C, T, D>) => {
  if (!children) return parts && { ...parts, remove: undefined }
  return createChildParts(of.get.data, of.create.body, children as ChildTables)
}

/** How the rows are locked, audited and announced. */
const createEditable = <C extends EntityCalls, T extends EditedTable, D extends { db: Db }>(
  entity: EntityDeclaration<C, T, D>,
  { detail, find }: EntityReads,
): EditableTable<T> => {
  const { of, table, events, rows } = entity
  const parts = createParts(entity)
  return {
    table,
    action: of.update.permission.replace(/:update$/, ''),
    ...missingCode(entity),
    current: async (trx, row, { actor }) => {
      const whole = (await find(trx, actor, (row as { id: number }).id)) ?? row
      return z.encode(of.get.data, (await detail(trx, actor, whole)) as never)
    },
    rows,
    parts: parts?.load,
    deleteParts: parts?.remove,
    events: (row) => (typeof events === 'function' ? events(row) : [rowEvent(of, row as VisibleRow, events)]),
  }
}

/** How a change is checked and becomes columns. */
const createWriteTools = <C extends EntityCalls, T extends EditedTable, D extends { db: Db }>(
  entity: EntityDeclaration<C, T, D>,
  reads: EntityReads,
) => {
  const { of, table, isTree = false, references = {}, fixed = [], check, children = {} } = entity
  const { columnOf } = reads
  const draft = of.create.body
  const owners = ownerReferences(table)
  const targets = { ...owners, ...(isTree && { parentId: table }), ...(references as Record<string, string>) }
  const dicts = { draft, types: dictTypesOf(draft) }
  // No form chooses the department of such rows.
  const isOfCreator = owners['deptId'] !== undefined && !('deptId' in draft.shape)
  const editable = createEditable(entity, reads)
  const toColumns =
    entity.toColumns ??
    ((changes: ChangesOf<C>) =>
      Object.fromEntries(Object.entries(changes).map(([field, value]) => [columnOf(field), value])))
  /** The row as a draft, with the changes. */
  const toDraft = (before: Row<T>, changes: AnyRow): AnyRow => {
    const held = Object.keys(draft.shape).map((field) => [field, (before as AnyRow)[columnOf(field)]])
    return { ...Object.fromEntries(held), ...changes }
  }
  const prepare = async (
    trx: Db,
    caller: Caller,
    deps: D,
    { before, changes }: { before?: Row<T>; changes: AnyRow },
  ) => {
    const held = (field: string) => (before as AnyRow | undefined)?.[columnOf(field)]
    await checkReferences(trx, caller, { draft, targets, changes, held })
    await checkDictValues(trx, dicts, changes, before)
    const moved = fixed.find((field) => before && field in changes && !isEqual(changes[field], held(field)))
    if (moved) throw fieldError(draft, moved, 'choice')
    const after = (before ? toDraft(before, changes) : changes) as NewOf<C>
    const named = changes as ChangesOf<C>
    await check?.(trx, { before, after, changes: named, caller })
    const own = Object.fromEntries(Object.entries(changes).filter(([field]) => !(field in children)))
    const columns = await toColumns(own as ChangesOf<C>, { trx, before, deps, caller })
    return { ...(!before && isOfCreator && { deptId: caller.actor.deptId }), ...columns }
  }
  const lockFirst: EntityDeclaration<C, T, D>['lockFirst'] = async (trx, change) => {
    if (isTree) await lockTree(trx, table)
    await entity.lockFirst?.(trx, change)
  }
  const checkTree = async (trx: Db, change: { id: number; parentId: number | null | undefined }): Promise<void> => {
    if (isTree) await checkNoCycle(trx, table, draft, change)
  }
  return { editable, prepare, lockFirst, checkTree }
}

type WriteTools<C extends EntityCalls, T extends EditedTable, D extends { db: Db }> = ReturnType<
  typeof createWriteTools<C, T, D>
>

const createDeletion =
  <C extends EntityCalls, T extends EditedTable, D extends { db: Db }>(
    { of, table, isTree, checkDeletion, saved }: EntityDeclaration<C, T, D>,
    { editable }: WriteTools<C, T, D>,
  ) =>
  async (trx: Db, caller: Caller, id: number): Promise<void> => {
    if (isTree) await lockTree(trx, table)
    const before = await lockRow(trx, caller, editable, { id })
    if (isTree) await checkLeaf(trx, table, id, of.page.titles?.title ?? '')
    await checkDeletion?.(trx, before, caller)
    await deleteRow(trx, caller, editable, before)
    await saved?.(trx, { verb: 'delete', before, after: undefined, changes: {}, caller })
  }

/** Moves a row of a tree; of its new siblings only the numbers of their order change. */
const createMove =
  <C extends EntityCalls, T extends EditedTable, D extends { db: Db }>(
    { table }: EntityDeclaration<C, T, D>,
    { editable, prepare, checkTree, lockFirst }: WriteTools<C, T, D>,
  ) =>
  async (trx: Db, deps: D, caller: Caller, { id, parentId, beforeId, version }: Move): Promise<true> => {
    await lockFirst?.(trx, { id, changes: {} })
    const before = await lockRow(trx, caller, editable, { id, version })
    await checkTree(trx, { id, parentId })
    const columns = await prepare(trx, caller, deps, { before, changes: { parentId } })
    const sort = await placeAmongSiblings(trx, table, before as never, { parentId, beforeId })
    const changes = { ...columns, ...(sort !== undefined && { sort }) }
    await updateRow(trx, caller, editable, { before, changes: changes as never })
    return true
  }

/** The writing side of an entity: each call is one transaction with lock, version, check, write, audit and event. */
export const createEntityWrites = <C extends EntityCalls, T extends EditedTable, D extends { db: Db }>(
  entity: EntityDeclaration<C, T, D>,
  reads: EntityReads,
) => {
  const { begin, saved, committed } = entity
  const parts = createParts(entity)
  const tools = createWriteTools(entity, reads)
  const { editable, prepare, checkTree, lockFirst } = tools
  const move = createMove(entity, tools)
  const remove = createDeletion(entity, tools)
  const edit = async <const A>(deps: D, work: (trx: Db) => Promise<A>): Promise<A> => {
    const answer = await runEdit(deps.db, 'all', work)
    committed?.()
    return answer
  }
  /** The table with the parts of this change. */
  const withParts = (trx: Db, caller: Caller, changes: ChangesOf<C>): EditableTable<T> => ({
    ...editable,
    saveParts: parts && ((row, before) => parts.save(trx, { row, before, changes, caller })),
  })
  return {
    editable,
    create: (deps: D, caller: Caller, given: NewOf<C>): Promise<number> =>
      edit(deps, async (trx) => {
        const changes = withoutUndefined(given) as ChangesOf<C>
        await lockFirst?.(trx, { id: undefined, changes })
        const columns = await prepare(trx, caller, deps, { changes })
        const after = await createRow(trx, caller, withParts(trx, caller, changes), columns as never)
        await saved?.(trx, { verb: 'create', before: undefined, after, changes, caller })
        return (after as { id: number }).id
      }),
    update: (deps: D, caller: Caller, given: EditOf<C>): Promise<true> =>
      edit(deps, async (trx): Promise<true> => {
        const { id, version } = given as unknown as { id: number; version?: number }
        const changes = changedColumns(given) as ChangesOf<C>
        await lockFirst?.(trx, { id, changes })
        const locked = await lockRow(trx, caller, editable, { id, version })
        await checkTree(trx, { id, parentId: (changes as AnyRow)['parentId'] as number | null | undefined })
        const before = begin ? await begin(trx, { before: locked, changes, caller }) : locked
        const columns = (await prepare(trx, caller, deps, { before, changes })) as never
        const after = await updateRow(trx, caller, withParts(trx, caller, changes), { before, changes: columns })
        await saved?.(trx, { verb: 'update', before, after, changes, caller })
        return true
      }),
    move: (deps: D, caller: Caller, given: Move): Promise<true> => edit(deps, (trx) => move(trx, deps, caller, given)),
    /** All or none. */
    delete: async (deps: D, caller: Caller, ids: readonly number[]): Promise<true> => {
      await runEditForEach(deps.db, {
        ids,
        named: async (id) => {
          const row = await reads.find(deps.db, caller.actor, id)
          return row && { name: String(row[entity.nameColumn]) }
        },
        work: (trx, id) => remove(trx, caller, id),
      })
      committed?.()
      return true
    },
  }
}
