import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { entities } from '../entities.ts'
import { openDb, openPool } from '#db/db'
import { tables } from '#db/tables'
import { listExcludedColumns, configurableColumns, checkImportable } from './allow.ts'
import { type DbStructure, readStructures } from './structure.ts'

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Editable tables without permissions or secrets. Add a table by hand, or with the module generated for it. */
const importable: Record<string, true> = {
  demo_item: true,
  dict_type: true,
  ...Object.fromEntries(entities.map(({ table }) => [toSnakeCase(table), true as const])),
}
/** Tables that only their own area may write, or that refer to rows no form can choose. */
const looked = [
  'school',
  'place',
  'floor_plan',
  'employee',
  'device',
  'device_model',
  'school_device',
  'test_plan',
  'maintenance_order',
  'procedure',
  'rollout',
  'rollout_device',
  'program_package',
  'procedure_run',
  'school_term',
  'security_post',
  'shift',
  'shift_swap',
  'handover',
  'patrol_plan',
  'police_station',
  'police_unit',
  'police_situation',
  'supervise_order',
  'announcement',
  'wall_link',
  'warn_rule',
  'warn_record',
  'delivery',
  'notify_policy',
  'assignment',
  'notice',
  'dict_data',
]

let database: TestDatabase
const fine: string[] = []
let structures: DbStructure[] = []
const verdicts = new Map<string, string>()
const comments = new Map<string, string | null>()
beforeAll(async () => {
  database = await cloneDatabase()
  const pool = openPool({ ...database.app, max: 1 }, 30)
  structures = await readStructures(openDb(pool))
  for (const structure of structures) {
    const verdict = checkImportable(structure)
    verdicts.set(structure.name, typeof verdict === 'string' ? verdict : verdict.problem)
    comments.set(structure.name, structure.comment)
    if (verdict === 'fine') fine.push(structure.name)
  }
  await pool.end()
})
afterAll(() => database.drop())

describe('tables of the product', () => {
  it('can be imported when this list allows it', () => {
    expect(fine).toEqual(expect.arrayContaining(['demo_item', 'dict_type']))
    expect(fine.filter((name) => !importable[name])).toEqual([])
  })

  it.each(
    Object.keys(tables)
      .map(toSnakeCase)
      .filter((name) => !importable[name] && !looked.includes(name)),
  )('%s cannot be imported', (name) => {
    expect(verdicts.get(name) ?? 'never').toBe('never')
  })

  it.each([
    ['school', '学校'],
    ['place', '场所'],
    ['employee', '人员'],
    ['school_device', '学校设备'],
    ['warn_record', '警情记录'],
    ['test_plan', '按钮测试计划'],
    ['maintenance_order', '维修工单'],
    ['procedure', '规程'],
    ['school_term', '学期'],
    ['security_post', '岗位'],
    ['shift', '班次'],
    ['shift_swap', '换班申请'],
    ['handover', '交接班'],
    ['patrol_plan', '巡查路线'],
    ['assignment', '派人任务'],
    ['warn_rule', '接警规则'],
    ['device', '设备'],
    ['notice', '通知'],
    ['dict_data', '字典数据'],
    ['device_model', '设备型号'],
  ])('%s is of the business, called %s, and is imported to look at', (name, comment) => {
    expect(looked).toContain(name)
    expect(verdicts.get(name)).toBe('looked')
    expect(comments.get(name)).toBe(comment)
  })

  it('are imported as read-only when no form can write their rows', () => {
    const words = structures.find(({ name }) => name === 'dict_type')
    const [column] = words?.columns ?? []
    if (!words || !column) throw new Error('no such table')
    const odd = { ...column, name: 'plan', dataType: 'jsonb', kind: undefined, single: false, nullable: false }
    const more = { ...words, columns: [...words.columns, odd] }
    expect(checkImportable(more)).toBe('looked')
    expect(listExcludedColumns(more).map(({ columnName }) => columnName)).toEqual(['plan'])
    expect(checkImportable({ ...more, columns: [...words.columns, { ...odd, nullable: true }] })).toBe('fine')
    const named = { ...odd, name: 'role_id', dataType: 'bigint', kind: 'BIGINT' as const, refers: 'role' }
    expect(checkImportable({ ...more, columns: [...words.columns, named] })).toBe('looked')
    expect(checkImportable({ ...more, columns: [...words.columns, { ...named, nullable: true }] })).toBe('fine')
  })

  it.each([
    ['warn_record', ['open', 'lease_session_id', 'log_hash'], ['version', 'faults', 'level']],
    ['device_model', ['battery_curve', 'capabilities', 'command_schema'], ['alarm_codes']],
    ['school_device', ['camera_ids'], ['plan_x']],
  ])('%s shows its lists of texts, and neither documents nor what names a session', (name, without, shown) => {
    const structure = structures.find((structure) => structure.name === name)
    if (!structure) throw new Error('no such table')
    expect(listExcludedColumns(structure).map(({ columnName }) => columnName)).toEqual(without)
    expect(configurableColumns(structure).map((column) => column.name)).toEqual(expect.arrayContaining(shown))
  })

  it('of the migrations is never offered', () => {
    expect(verdicts.get('migration')).toBe('never')
  })

  it('have a comment when they are listed', () => {
    const listed = [...verdicts].filter(([, verdict]) => verdict !== 'never').map(([name]) => name)
    expect(listed.filter((name) => !comments.get(name))).toEqual([])
  })

  it.each([
    'secret',
    'session',
    'access_token',
    'refresh_token',
    'device_credential',
    'verification_code',
    'second_factor',
    'recovery_code',
    'activation_code',
    'users',
    'role',
    'menu',
    'config',
    'job',
    'import_row',
    'outbound',
  ])('%s is never imported nor shown', (name) => {
    expect(Object.keys(tables).map(toSnakeCase)).toContain(name)
    expect(verdicts.get(name) ?? 'never').toBe('never')
  })
})
