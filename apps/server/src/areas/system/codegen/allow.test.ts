import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { openDb, openPool } from '../../../db/db.ts'
import { tables } from '../../../db/tables.ts'
import { verdictOf } from './allow.ts'
import { readStructures } from './structure.ts'

/**
 * Rows that people edit and that say nothing of rights or secrets. A table that is to be here is added by hand, or with
 * the slice that somebody has generated for it.
 */
const importable: Record<string, true> = {
  device: true,
  dict_data: true,
  dict_type: true,
  notice: true,
}

let database: TestDatabase
const fine: string[] = []
const verdicts = new Map<string, string>()
const comments = new Map<string, string | null>()
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
beforeAll(async () => {
  database = await cloneDatabase()
  const pool = openPool({ ...database.app, max: 1 }, 30)
  for (const structure of await readStructures(openDb(pool))) {
    const verdict = verdictOf(structure)
    verdicts.set(structure.name, typeof verdict === 'string' ? verdict : verdict.problem)
    comments.set(structure.name, structure.comment)
    if (verdict === 'fine') fine.push(structure.name)
  }
  await pool.end()
})
afterAll(() => database.drop())

describe('tables of the product', () => {
  it('can be imported as far as this list goes', () => {
    expect(fine).toEqual(expect.arrayContaining(['device', 'dict_data', 'dict_type', 'notice']))
    expect(fine.filter((name) => !importable[name])).toEqual([])
  })

  it.each(
    Object.keys(tables)
      .map(snake)
      .filter((name) => !importable[name]),
  )('%s cannot be imported', (name) => {
    expect(verdicts.get(name) ?? 'never').not.toBe('fine')
  })

  it.each([
    ['school', '学校'],
    ['place', '场所'],
    ['school_device', '学校设备'],
    ['warn_record', '预警记录'],
    ['warn_rule', '预警规则'],
    ['device_model', '设备型号'],
  ])('%s is of the business, called %s, and says why it cannot be imported', (name, comment) => {
    expect(verdicts.get(name)).toBe(name === 'warn_rule' || name === 'device_model' ? 'TYPE' : 'VERBS')
    expect(comments.get(name)).toBe(comment)
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
