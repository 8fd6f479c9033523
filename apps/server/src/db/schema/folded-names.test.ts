import { foldName } from '@tocsin/contract/text'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept } from '../../../seed/fixtures.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { type Db, openDb, openPool } from '../db.ts'
import { violatedConstraint } from '../constraint-error.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Db
beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 2 }, 2)
  db = openDb(pool)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const violation = (write: Promise<unknown>) =>
  write.then(
    () => undefined,
    (error: unknown) => violatedConstraint(error),
  )

describe('fold_name', () => {
  it.each([
    'Ａbc\u3000\u200BD',
    'abc d',
    '城北 派出所',
    '１号楼',
    '张\u00AD三',
    'e\u0301cole',
    '\u202D甲\u202C',
    '㈠班',
    '\u2764\uFE0F',
    '阿卜杜·热西提',
    'ǅ\u1160x\u2800',
  ])('folds %j as forms and spreadsheets do', async (name) => {
    const { rows } = await sql<{ folded: string }>`select fold_name(${name}) as folded`.execute(db)
    expect(rows).toEqual([{ folded: foldName(name) }])
  })
})

describe('a name that looks like another', () => {
  it('is taken, where names are unique', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'i' and relname like '%\\_fold' order by 1`.execute(db)
    expect(rows.map(({ name }) => name.replace(/_(name_)?key_fold$/, ''))).toEqual([
      'dept',
      'device_model',
      'dict_type',
      'menu',
      'notify_policy',
      'place',
      'police_unit',
      'procedure',
      'role',
      'school',
      'school_term',
      'warn_rule',
    ])
  })

  it('is rejected with the error of the same name, and stays free elsewhere', async () => {
    const [first, second] = [await makeDept(db, { name: 'One' }), await makeDept(db, { name: 'Other' })]
    await makeDept(db, { parentId: first.id, name: 'Ａ1 组' })
    for (const name of ['Ａ1 组', 'a１组', 'A1\u3000组'])
      expect(await violation(makeDept(db, { parentId: first.id, name }))).toBe('dept_name_key')
    expect(await violation(makeDept(db, { name: 'ONE' }))).toBe('dept_name_key')
    expect(await violation(makeDept(db, { parentId: second.id, name: 'a1组' }))).toBeUndefined()
  })
})
