import { endpoints } from '@tocsin/contract/all'
import { SecurityPostDraft } from '@tocsin/contract/security/post'
import { ShiftSwapDraft } from '@tocsin/contract/security/swap'
import { WallLinkDraft } from '@tocsin/contract/insight/wall'
import { HandoverDraft } from '@tocsin/contract/security/handover'
import { PatrolPlanDraft } from '@tocsin/contract/security/patrol'
import { ShiftDraft } from '@tocsin/contract/security/shift'
import { TestPlanDraft } from '@tocsin/contract/device/button-test'
import { orderVerbCalls } from '@tocsin/contract/supervise/order-calls'
import { orderReason, SupervisionOrderDraft } from '@tocsin/contract/supervise/order'
import { MaintenanceDraft, MaintenanceWork } from '@tocsin/contract/device/maintenance'
import { ProcedureDraft } from '@tocsin/contract/device/procedure/procedure'
import { DeviceDraft } from '@tocsin/contract/device/device'
import { InstallationDraft } from '@tocsin/contract/device/school-device-verbs'
import { WarnRuleDraft } from '@tocsin/contract/alarm/rule'
import { SituationDraft } from '@tocsin/contract/police/situation'
import { CloseBody, ReasonBody } from '@tocsin/contract/police/situations'
import { StationDraft } from '@tocsin/contract/police/station'
import { UnitDraft } from '@tocsin/contract/police/unit'
import { NotifyPolicyDraft } from '@tocsin/contract/notify/policy'
import { PlaceDraft } from '@tocsin/contract/school/place'
import { SchoolDraft } from '@tocsin/contract/school/school'
import { CodegenTableDraft } from '@tocsin/contract/codegen/codegen'
import { DemoItemDraft } from '@tocsin/contract/demo/item'
import { UserDraft } from '@tocsin/contract/access/user'
import { unwrap } from '@tocsin/contract/field'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { plural } from '../apps/server/src/areas/codegen/templates/names.ts'
import { entities } from '../apps/server/src/areas/entities.ts'
import { tables } from '../apps/server/src/db/tables.ts'
import { cloneDatabase, type TestDatabase } from '../apps/server/test/database.ts'

type Column = {
  table: string
  column: string
  type: string
  nullable: boolean
  filled: boolean
  length: number | null
  digits: number | null
  decimals: number | null
}

let database: TestDatabase
let columns: Column[]
let checks: { table: string; definition: string }[]

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`).replace(/(\D)(\d)_/g, '$1$2_')

beforeAll(async () => {
  database = await cloneDatabase()
  const pool = new pg.Pool(database.owner)
  const found = await pool.query(`
    select c.table_name as "table", c.column_name as "column", c.udt_name as type, c.is_nullable = 'YES' as nullable,
      c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as filled,
      c.character_maximum_length as length, c.numeric_precision as digits, c.numeric_scale as decimals
    from information_schema.columns c
    join pg_class k on k.relname = c.table_name and k.relnamespace = 'public'::regnamespace and not k.relispartition
    where c.table_schema = 'public' order by c.table_name, c.ordinal_position`)
  columns = found.rows
  const constraints = await pool.query(`
    select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace order by oid`)
  checks = constraints.rows
  await pool.end()
})
afterAll(() => database.drop())

const core = (schema: z.ZodType): { schema: z.ZodType; nullable: boolean } => {
  let nullable = false
  let at = schema
  for (;;) {
    if (at.def.type === 'nullable') nullable = true
    const inner = unwrap(at)
    if (!inner) return { schema: at, nullable }
    at = inner
  }
}

const sqlTypes: Record<string, string[]> = {
  string: ['varchar', 'text', 'date', 'uuid'],
  enum: ['varchar'],
  number: ['int4', 'int8', 'float8', 'numeric'],
  boolean: ['bool'],
  date: ['timestamptz'],
  custom: ['bytea', 'jsonb'],
  record: ['jsonb'],
  object: ['jsonb'],
}
/** Lists of plain values are arrays in SQL; all other fields are one value. */
const listTypes: Record<string, string[]> = {
  string: ['_text', '_varchar'],
  enum: ['_text'],
  number: ['_int4', '_int8', '_float8'],
}

const sqlTypesOf = (schema: z.ZodType): string[] =>
  schema.def.type === 'array'
    ? (listTypes[(schema as z.ZodArray<z.ZodType>).element.def.type] ?? ['jsonb'])
    : (sqlTypes[schema.def.type] ?? [])

const own = (name: string) => columns.filter((c) => c.table === snake(name) && c.table !== 'schema_migration')

describe('the tables', () => {
  it('match the declared ones, without any others', () => {
    const machinery = ['migration']
    const inSql = new Set(columns.map((c) => c.table).filter((t) => !machinery.includes(t)))
    expect([...inSql].sort()).toEqual(Object.keys(tables).map(snake).sort())
  })

  it.each(Object.entries(tables))('%s has the columns, types and nulls of its row schema', (name, { row }) => {
    const inSql = own(name).map(({ column, nullable }) => ({ column, nullable }))
    const inCode = Object.entries(row.shape).map(([column, schema]) => ({
      column: snake(column),
      nullable: core(schema as z.ZodType).nullable,
    }))
    const byName = (a: { column: string }, b: { column: string }) => (a.column < b.column ? -1 : 1)
    expect(inSql.sort(byName)).toEqual(inCode.sort(byName))
    for (const [column, schema] of Object.entries(row.shape)) {
      const inner = core(schema as z.ZodType).schema
      const type = own(name).find((c) => c.column === snake(column))?.type ?? ''
      expect(sqlTypesOf(inner), `${name}.${column} is ${type} in SQL and ${inner.def.type} in code`).toContain(type)
    }
  })

  it.each(Object.entries(tables))('%s has defaults for the fields that an insert may omit', (name, { filled }) => {
    const needs = (c: Column) => !c.filled && !c.nullable
    const wrong = (filled as readonly string[]).filter((column) => {
      const found = own(name).find((c) => c.column === snake(column))
      return !found || needs(found)
    })
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(tables))('%s checks every enum that its row schema has', (name, { row }) => {
    for (const [column, schema] of Object.entries(row.shape)) {
      const inner = core(schema as z.ZodType).schema
      if (inner.def.type !== 'enum' || name === 'event') continue
      const words = Object.values((inner.def as unknown as { entries: Record<string, string> }).entries)
      const check = checks.find(
        (c) => c.table === snake(name) && new RegExp(`\\(\\(?${snake(column)}\\)?::text = ANY`).test(c.definition),
      )
      const inSql = [...(check?.definition.matchAll(/'(\w+)'::/g) ?? [])].map((m) => m[1])
      expect(inSql.sort(), `${name}.${column}`).toEqual([...words].sort())
    }
  })
})

/** The range of the column type itself. */
const holds = ({ type, digits, decimals }: Column): [number, number] | undefined => {
  if (type === 'int4') return [-(2 ** 31), 2 ** 31 - 1]
  if (type !== 'numeric' || digits === null || decimals === null) return undefined
  const most = Number(`${'9'.repeat(digits - decimals)}.${'9'.repeat(decimals)}`)
  return [-most, most]
}

describe('limits of drafts', () => {
  const created = endpoints.flatMap(({ path, body }) =>
    path.endsWith('/create') && body instanceof z.ZodObject ? [{ path, body }] : [],
  )
  const elementOf = (schema: z.ZodType | undefined) =>
    schema && core(schema).schema instanceof z.ZodArray ? (core(schema).schema as z.ZodArray).element : undefined
  /**
   * Tables that calls name, like those of generated modules: with a call of their own, or written with another table's
   * row.
   */
  const called = Object.keys(tables).flatMap((name) => {
    const path = `/${snake(name).replaceAll('_', '-')}/create`
    const draft =
      created.find((item) => item.path.endsWith(path))?.body ??
      created.map(({ body }) => elementOf(body.shape[plural(name)] as z.ZodType | undefined)).find(Boolean)
    return draft instanceof z.ZodObject ? [[name, draft] as const] : []
  })
  const drafts: Readonly<Record<string, z.ZodObject>> = {
    // The first entity of a table has its limits; another one reads or edits it too.
    ...Object.fromEntries(
      entities.toReversed().flatMap(({ table, draft }) => (draft ? [[table, draft] as const] : [])),
    ),
    school: SchoolDraft,
    place: PlaceDraft,
    device: DeviceDraft,
    schoolDevice: InstallationDraft,
    testPlan: TestPlanDraft,
    maintenanceOrder: MaintenanceDraft.extend({
      result: MaintenanceWork.shape.result,
      parts: MaintenanceWork.shape.parts,
    }),
    procedure: ProcedureDraft,
    securityPost: SecurityPostDraft,
    shift: ShiftDraft,
    shiftSwap: ShiftSwapDraft,
    handover: HandoverDraft,
    // The days become the time of expiry.
    wallLink: WallLinkDraft.omit({ days: true }),
    patrolPlan: PatrolPlanDraft,
    superviseOrder: SupervisionOrderDraft.extend({
      extensionReason: orderReason,
      extensionProgress: orderVerbCalls.requestExtension.body.shape.text,
    }),
    warnRule: WarnRuleDraft,
    policeStation: StationDraft,
    policeUnit: UnitDraft,
    policeSituation: SituationDraft.extend({ result: CloseBody.shape.result, reason: ReasonBody.shape.reason }),
    notifyPolicy: NotifyPolicyDraft,
    users: UserDraft,
    demoItem: DemoItemDraft,
    codegenTable: CodegenTableDraft,
    ...Object.fromEntries(called),
  }
  /** Text columns of editable rows that are in no draft, and what fills them. */
  const filledElsewhere = {
    'announcement.revision_title': 'the revision, whose title is as long',
    'announcement.withdraw_reason': 'the withdrawal, whose reason is as long',
    'codegenTable.table_name': 'the name of a table of PostgreSQL, which bounds it',
    'codegenTable.comment': 'the comment of that table, which is cut where it is read',
    'dept.region_code': 'nobody yet: which region a department stands for comes with its own call',
    'notice.publisher_name': 'the server: the nickname of whoever publishes, as long as that',
    'maintenanceOrder.no': 'the server: WX, the day and a running number',
    'policeSituation.no': 'the server: a number of its own',
    'policeSituation.school_name': 'the server: the name of the school, as long',
    'rollout.reason': 'the verbs that end a rollout, whose reason is as long; the health gate',
    'school.status_reason': 'the verbs of the status, whose reason is as long',
    'superviseOrder.no': 'the server: DB, the day, the number of the day',
    'superviseOrder.subject_label': 'the server: number or name of the subject',
    'device.lifecycle_reason': 'the verbs of the lifecycle, whose reason is as long',
  }

  it('cover every editable text column of every table with an edit form', () => {
    const edited = Object.keys(tables).filter((name) => {
      const mine = new Set(own(name).map(({ column }) => column))
      return mine.has('version') && mine.has('create_time')
    })
    const open = edited.flatMap((name) => {
      const shape = drafts[name]?.shape ?? {}
      const words = Object.entries(tables[name as keyof typeof tables].row.shape).flatMap(([column, schema]) =>
        core(schema as z.ZodType).schema.def.type === 'enum' ? snake(column) : [],
      )
      const covered = new Set([...Object.keys(shape).map(snake), ...words])
      return own(name).flatMap(({ column, type }) =>
        type === 'varchar' && !covered.has(column) ? `${name}.${column}` : [],
      )
    })
    expect(open.sort()).toEqual(Object.keys(filledElsewhere).sort())
  })

  it.each(Object.entries(drafts))('%s: text lengths equal the column lengths', (name, draft) => {
    for (const [column, schema] of Object.entries(draft.shape)) {
      const inner = core(schema as z.ZodType).schema as z.ZodString
      const found = own(name).find((c) => c.column === snake(column))
      if (inner.def.type !== 'string' || found?.type !== 'varchar') continue
      const pattern = inner.def.checks?.map((c) =>
        String((c as { _zod: { def: { pattern?: RegExp } } })._zod.def.pattern),
      )
      const limit = inner.maxLength ?? Number(/\{\d+,(\d+)\}/.exec(pattern?.join() ?? '')?.[1])
      expect(limit, `${name}.${column}`).toBe(found.length)
    }
  })

  it.each(Object.entries(drafts))('%s: number ranges equal the checks, or what the type holds', (name, draft) => {
    for (const [column, schema] of Object.entries(draft.shape)) {
      const inner = core(schema as z.ZodType).schema as z.ZodNumber
      const isId = inner.def.type === 'number' && inner.minValue === 1 && inner.maxValue === Number.MAX_SAFE_INTEGER
      if (inner.def.type !== 'number' || isId) continue
      const range = new RegExp(`\\b${snake(column)} >= (-?[\\d.]+) .*?${snake(column)} <= (-?[\\d.]+)`)
      const plain = checks
        .filter((c) => c.table === snake(name))
        .map((c) => c.definition.replace(/::[a-z ]+|['()]/g, ''))
      const checked = plain.map((definition) => range.exec(definition)).find(Boolean)
      const found = own(name).find((c) => c.column === snake(column))
      if (inner.minValue === null || inner.minValue <= Number.MIN_SAFE_INTEGER) continue
      const bounds = checked ? checked.slice(1).map(Number) : found && holds(found)
      expect(bounds, `${name}.${column}`).toEqual([inner.minValue, inner.maxValue])
    }
  })
})
