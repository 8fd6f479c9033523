import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture, person } from '../../../test/alarm-fixture.ts'
import type { Actor } from '#http/route'
import { getGovernWork } from './govern-work.ts'

let fixture: AlarmFixture
let bureau: Actor
let principal: Actor
const period = { from: new Date('2026-03-01T00:00:00+08:00'), to: new Date('2026-03-31T00:00:00+08:00') }
const inside = new Date('2026-03-10T08:00:00+08:00')
const before = new Date('2026-02-10T08:00:00+08:00')
const readers = new Set([
  'insight:readiness:query',
  'security:shift:query',
  'security:patrol:query',
  'device:test:query',
  'warn:record:query',
  'supervise:order:query',
])

/** Shifts in every state, one excused, one of another period. */
const fillShifts = async (schoolId: number, deptId: number) => {
  await sql`
    with guard as (
      insert into employee (school_id, dept_id, employee_no, name, kind)
      values (${schoolId}, ${deptId}, 'N1', '马军', 'GUARD') returning id
    ), post as (
      insert into security_post (school_id, name, type, from_min, to_min, check_code)
      values (${schoolId}, '东门', 'GATE', 0, 1440, ${`gate-${schoolId}`}) returning id
    )
    insert into shift (post_id, school_id, employee_id, from_at, to_at, state, published_at, absence_reason)
    select post.id, ${schoolId}, guard.id, at, at + interval '8 hours', state, at, reason
    from post cross join guard cross join (values
      (${inside}::timestamptz, 'DONE', null), (${inside}, 'DONE', null), (${inside}, 'CHECKED_IN', null),
      (${inside}, 'LATE', null), (${inside}, 'ABSENT', null), (${inside}, 'ABSENT', '病假'), (${before}, 'ABSENT', null)
    ) as given (at, state, reason)`.execute(fixture.all)
}

const fillPatrols = (schoolId: number) =>
  sql`
    with plan as (
      insert into patrol_plan (school_id, name, from_min, to_min, rounds) values (${schoolId}, '日间', 0, 1440, 3)
      returning id
    )
    insert into patrol_run (plan_id, school_id, day, round, from_at, to_at, state)
    select plan.id, ${schoolId}, '2026-03-10', round, ${inside}::timestamptz, ${inside}::timestamptz + interval '1 hour', state
    from plan cross join (values (1, 'DONE'), (2, 'MISSED'), (3, 'PLANNED')) as given (round, state)`.execute(
    fixture.all,
  )

const fillTests = async (schoolId: number) => {
  const { id: placeId } = await fixture.all
    .insertInto('place')
    .values({ schoolId, kind: 'ROOM', name: '301室' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    with installed as (
      insert into school_device (device_id, school_id, place_id, status)
      values (${fixture.buttonId}, ${schoolId}, ${placeId}, 'ACCEPTED') returning id
    ), plan as (
      insert into test_plan (school_id, window_from, window_to)
      values (${schoolId}, ${inside}::timestamptz - interval '1 hour', ${inside}::timestamptz)
      returning id
    )
    insert into test_result (plan_id, school_id, device_id, school_device_id, result)
    select plan.id, ${schoolId}, ${fixture.buttonId}, installed.id, 'PASSED' from plan, installed`.execute(fixture.all)
}

const fillOrder = (schoolId: number, deptId: number) =>
  sql`
    with made as (
      insert into supervise_order (no, kind, title, content, requirement, issuer_dept_id, responsible_dept_id, school_id,
        state, issued_at, due_at)
      values ('DB-1', 'MANUAL', '整改', '整改', '整改', ${fixture.bureau}, ${deptId}, ${schoolId}, 'ISSUED',
        now() - interval '9 days', now() - interval '1 day') returning id
    )
    insert into supervise_party (order_id, part, dept_id, school_id)
    select id, 'RESPONSIBLE', ${deptId}, ${schoolId} from made`.execute(fixture.all)

beforeAll(async () => {
  fixture = await openAlarmFixture()
  const { first, second } = fixture
  bureau = await person(fixture.db, 'bureau', { depts: 'all', schools: 'all', deptId: fixture.bureau }, readers)
  const own = { depts: [second.deptId], schools: [second.id], deptId: second.deptId }
  principal = await person(fixture.db, 'principal', own, readers)
  await fillShifts(first.id, first.deptId)
  await fillPatrols(first.id)
  await fillTests(first.id)
  await fillOrder(first.id, first.deptId)
  await makeRecord(fixture.db, { deptId: first.deptId, schoolId: first.id, mode: 'DRILL', firstAt: inside })
  await makeRecord(fixture.db, { deptId: first.deptId, schoolId: first.id, mode: 'DRILL', firstAt: before })
  await sql`insert into school_readiness (school_id, score, devices, low, reasons)
    values (${first.id}, 59, 1, 1, '[]'), (${second.id}, 90, 1, 0, '[]')`.execute(fixture.all)
})
afterAll(() => fixture.end())

const read = (actor: Actor, deptId?: number) => getGovernWork(fixture.db, actor, { ...period, deptId })

describe('getGovernWork', () => {
  it('counts what was due in the period, and what is low or red now', async () => {
    expect(await read(bureau)).toEqual({
      readiness: { low: 1, fair: 0, good: 1 },
      shifts: { done: 3, late: 1, missed: 1 },
      patrols: { done: 1, late: 0, missed: 1 },
      tests: { done: 1, late: 0, missed: 0 },
      drills: 1,
      orders: { red: 1, yellow: 0, green: 0 },
    })
  })

  it('counts only what the caller sees, and only of the chosen department', async () => {
    const nothing = { done: 0, late: 0, missed: 0 }
    const ofSecond = {
      readiness: { low: 0, fair: 0, good: 1 },
      shifts: nothing,
      patrols: nothing,
      tests: nothing,
      drills: 0,
      orders: { red: 0, yellow: 0, green: 0 },
    }
    expect(await read(principal)).toEqual(ofSecond)
    expect(await read(bureau, fixture.second.deptId)).toEqual(ofSecond)
    expect(await read(bureau, fixture.first.deptId)).toMatchObject({ shifts: { done: 3 }, drills: 1 })
  })

  it('leaves out each part whose list the caller may not read', async () => {
    const clerk = { ...bureau, permissions: new Set(['report:govern:query', 'security:shift:query']) }
    expect(await read(clerk)).toEqual({
      readiness: null,
      shifts: { done: 3, late: 1, missed: 1 },
      patrols: null,
      tests: null,
      drills: null,
      orders: null,
    })
  })
})
