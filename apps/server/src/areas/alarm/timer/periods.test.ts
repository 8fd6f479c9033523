import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { verify } from '#areas/alarm/verb/handle'
import { emitEvents } from '#db/event'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { scheduleOverdue, scheduleClaimReminder, RECORD_TIMER } from './schedule-timers.ts'

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())

/**
 * The table of domain 2.8 in seconds: claim, first action after it, threat to life, guard on site, open for too long.
 */
const table = [
  { level: 1, T1: 10, T2: 30, T3: 15, T4: 120, T5: 30 * 60 },
  { level: 2, T1: 30, T2: 60, T3: 15, T4: 180, T5: 3600 },
  { level: 3, T1: 120, T2: 300, T3: 15, T4: 600, T5: 4 * 3600 },
  { level: 4, T1: 900, T2: 1800, T3: 15, T4: null, T5: 24 * 3600 },
] as const
/** Domain 2.8: duration of a claim that the console does not renew. */
const LEASE = 30

const raised = (more: Partial<RecordDraft>) =>
  fixture.db.transaction().execute(async (trx) => {
    const at = { deptId: fixture.first.deptId, schoolId: fixture.first.id }
    const record = await makeRecord(trx, { ...at, class: 'INTRUSION', ...more })
    await scheduleClaimReminder(trx, record)
    await scheduleOverdue(trx, record)
    await emitEvents(trx, { type: 'alarm.raised', ref: record.id })
    return record
  })

/** Seconds that the last verb gave to its timers. Each verb writes its event at its own time. */
const planned = async (id: number): Promise<Record<string, number>> => {
  const at = fixture.db.selectFrom('event').select('at').where('ref', '=', id).orderBy('id', 'desc').limit(1)
  const rows = await fixture.db
    .selectFrom('timer')
    .select(['step', sql<number>`extract(epoch from due_at - ${at})::float8`.as('seconds')])
    .where('kind', '=', RECORD_TIMER)
    .where('subjectId', '=', id)
    .where('doneAt', 'is', null)
    .execute()
  return Object.fromEntries(rows.map(({ step, seconds }) => [step, seconds]))
}

describe.each(table)('a record of level $level', ({ level, T1, T2, T3, T4, T5 }) => {
  it('has the timer defaults of the table', async () => {
    const record = await raised({ level })
    expect(await planned(record.id)).toEqual({ T1, T5 })
    const claimed = await claim(fixture.db, fixture.zhang, { id: record.id })
    expect(await planned(record.id)).toMatchObject({ T2, LEASE })
    expect(await planned(record.id)).not.toHaveProperty('T1')
    const verified = await verify(fixture.db, fixture.zhang, { ...claimed, validation: 4 })
    expect(await planned(record.id)).toMatchObject({ T3 })
    await calls.dispatch(fixture.db, fixture.zhang, verified)
    if (T4 === null) expect(await planned(record.id)).not.toHaveProperty('T4')
    else expect(await planned(record.id)).toMatchObject({ T4 })
  })
})
