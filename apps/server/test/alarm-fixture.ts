import { LEAD_PERMISSION, stateMachine } from '@tocsin/contract/alarm/state-machine'
import type pg from 'pg'
import { type Db, openDb, openPool } from '#db/db'
import { unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { cloneDatabase } from './database.ts'

// Two schools under one education bureau, one police station for the first school, and the users of a desk.

const all = (db: Db) => unscoped(db, 'test data')

const dept = async (db: Db, name: string, kind: 'EDU_BUREAU' | 'SCHOOL' | 'POLICE_STATION', parentId: number | null) =>
  (await db.insertInto('dept').values({ name, kind, parentId }).returning('id').executeTakeFirstOrThrow()).id

const school = async (db: Db, name: string, parentId: number, policeDeptId: number | null) => {
  const deptId = await dept(db, name, 'SCHOOL', parentId)
  const { id } = await all(db)
    .insertInto('school')
    .values({ deptId, policeDeptId, code: name, name, stage: 'PRIMARY', areaType: 'URBAN', status: 'ACTIVE' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, deptId }
}

const operate = new Set([
  'warn:record:query',
  ...Object.values(stateMachine).flatMap(({ permission }) => permission || []),
])
export const operator: ReadonlySet<string> = operate
export const lead: ReadonlySet<string> = new Set([...operate, LEAD_PERMISSION])

type Sights = Pick<Actor, 'depts' | 'schools' | 'deptId'>

/** A signed-in user with a session row of their own. */
export const person = async (db: Db, username: string, sight: Sights, permissions = operator): Promise<Actor> => {
  const user = await all(db)
    .insertInto('users')
    .values({ username, nickname: `${username} 先生`, deptId: sight.deptId })
    .returning(['id', 'nickname'])
    .executeTakeFirstOrThrow()
  return {
    ...sight,
    userId: user.id,
    sessionId: await session(db, user.id),
    username,
    nickname: user.nickname,
    permissions,
  }
}

const tomorrow = () => new Date(Date.now() + 86_400_000)

export const session = async (db: Db, userId: number): Promise<number> => {
  const { id } = await db
    .insertInto('session')
    .values({ userId, ip: '127.0.0.1', userAgent: 'test', idleExpiresAt: tomorrow(), expiresAt: tomorrow() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const button = async (db: Db, at: { id: number; deptId: number }) => {
  const model = await db
    .insertInto('deviceModel')
    .values({ productKey: 'panic01', vendor: 'Test', name: 'Button', kind: 'PANIC_BUTTON', power: 'BATTERY' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const device = await all(db)
    .insertInto('device')
    .values({ sn: 'BTN-0001', modelId: model.id, deptId: at.deptId, schoolId: at.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return device.id
}

const people = async (db: Db, deptId: number, school: { id: number; deptId: number }, elsewhere: Sights) => {
  const here: Sights = { deptId, depts: [deptId, school.deptId], schools: [school.id] }
  return {
    zhang: await person(db, 'zhang', here),
    li: await person(db, 'li', here),
    wang: await person(db, 'wang', here, lead),
    zhao: await person(db, 'zhao', here, lead),
    stranger: await person(db, 'stranger', elsewhere, lead),
    reader: await person(db, 'reader', here, new Set(['warn:record:query'])),
    root: await person(db, 'root', { deptId, depts: 'all', schools: 'all' }, lead),
  }
}

export type AlarmFixture = Awaited<ReturnType<typeof openAlarmFixture>>

/** A cloned database with this data. */
export const openAlarmFixture = async (connections = 4) => {
  const database = await cloneDatabase()
  // Many concurrent calls queue here as long as they need.
  const pool: pg.Pool = openPool({ ...database.app, max: connections, connectionTimeoutMillis: 0 }, 20)
  const db = openDb(pool)
  const bureau = await dept(db, 'Bureau', 'EDU_BUREAU', null)
  const station = await dept(db, 'Station', 'POLICE_STATION', null)
  const first = await school(db, 'First', bureau, station)
  const second = await school(db, 'Second', bureau, null)
  const elsewhere: Sights = { deptId: second.deptId, depts: [second.deptId], schools: [second.id] }
  return {
    db,
    database,
    all: all(db),
    bureau,
    station,
    first,
    second,
    buttonId: await button(db, first),
    ...(await people(db, station, first, elsewhere)),
    end: async () => {
      await pool.end()
      await database.drop()
    },
  }
}
