import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { openDb, openPool } from '#db/db'
import { tables } from '#db/tables'
import { listExcludedColumns, configurableColumns, checkImportable } from './allow.ts'
import { type DbStructure, readStructures } from './structure.ts'

/**
 * Rows that people edit and that say nothing of rights or secrets. A table that is to be here is added by hand, or with
 * the slice that somebody has generated for it.
 */
const importable: Record<string, true> = {
  demo_item: true,
  dict_type: true,
}
/** Rows that only the operations of their own area may write, or that name what no form chooses. */
const looked = [
  'school',
  'place',
  'device',
  'device_model',
  'school_device',
  'test_plan',
  'warn_rule',
  'warn_record',
  'notice',
  'dict_data',
]

let database: TestDatabase
const fine: string[] = []
let structures: DbStructure[] = []
const verdicts = new Map<string, string>()
const comments = new Map<string, string | null>()
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
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
  it('can be imported as far as this list goes', () => {
    expect(fine).toEqual(expect.arrayContaining(['demo_item', 'dict_type']))
    expect(fine.filter((name) => !importable[name])).toEqual([])
  })

  it.each(
    Object.keys(tables)
      .map(snake)
      .filter((name) => !importable[name] && !looked.includes(name)),
  )('%s cannot be imported', (name) => {
    expect(verdicts.get(name) ?? 'never').toBe('never')
  })

  it.each([
    ['school', '学校'],
    ['place', '场所'],
    ['school_device', '学校设备'],
    ['warn_record', '预警记录'],
    ['test_plan', '按钮测试计划'],
    ['warn_rule', '预警规则'],
    ['device', '设备'],
    ['notice', '通知'],
    ['dict_data', '字典数据'],
    ['device_model', '设备型号'],
  ])('%s is of the business, called %s, and is imported to look at', (name, comment) => {
    expect(looked).toContain(name)
    expect(verdicts.get(name)).toBe('looked')
    expect(comments.get(name)).toBe(comment)
  })

  it('whose rows no form can write are imported to look at', () => {
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
    const structure = structures.find((one) => one.name === name)
    if (!structure) throw new Error('no such table')
    expect(listExcludedColumns(structure).map(({ columnName }) => columnName)).toEqual(without)
    expect(configurableColumns(structure).map((column) => column.name)).toEqual(expect.arrayContaining(shown))
  })

  it('of the migrations is never shown', () => {
    expect(verdicts.get('migration')).toBe('never')
  })

  it('have a comment wherever they are listed', () => {
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
    expect(Object.keys(tables).map(snake)).toContain(name)
    expect(verdicts.get(name) ?? 'never').toBe('never')
  })
})
