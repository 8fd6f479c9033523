import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { assignmentChanged } from '#areas/alarm/assignment/assignment-hooks'
import { goToRecord } from '#areas/alarm/assignment/go'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { builtInStep } from '#areas/device/procedure/built-in-step'
import { transactionHooks } from '#areas/transaction-hooks'
import type { Db } from '#db/db'
import { addHook } from '#db/transaction-hook'
import { makeDept, makeUser } from '../../../../seed/fixtures.ts'
import { type InstallationServer, startInstallationServer } from '../../../../test/installation-server.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'
import { claim } from './claim.ts'
import { dispatch, escalate } from './handle.ts'
import type { LockedRecord } from './verb-context.ts'

// Everything that follows when people find an expected press real is written by the transaction of their verb. The process
// stops after all of it was written and before the commit.

let site: InstallationServer
let guard: { id: number }
let isStopping = false
const stop = async (trx: Db): Promise<void> => {
  if (isStopping) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
}
useTransactionHooks([...transactionHooks, addHook(alarmHooks.escalated, stop), addHook(assignmentChanged, stop)])
beforeAll(async () => {
  site = await startInstallationServer()
  const station = await makeDept(site.site.db, { kind: 'POLICE_STATION', name: '城东派出所' })
  await site.all.updateTable('school').set({ policeDeptId: station.id }).where('id', '=', site.schoolId).execute()
  await makeUser(site.site.db, { username: 'desk', nickname: 'desk', deptId: station.id, roles: ['station_desk'] })
  const { deptId } = await site.all
    .selectFrom('school')
    .select('deptId')
    .where('id', '=', site.schoolId)
    .executeTakeFirstOrThrow()
  guard = await makeUser(site.site.db, { username: 'guard', nickname: 'guard', deptId, roles: ['guard'] })
  const steps = sql<never>`${JSON.stringify([builtInStep('GUARD', ['到场', 'Go there'])])}::jsonb`
  const plan = {
    kind: 'RESPONSE',
    name: '求助',
    nameEn: 'Help',
    class: 'PANIC',
    levels: [] as number[],
    placeKinds: [] as 'ROOM'[],
    steps,
  } as const
  const published = { ...plan, status: 'PUBLISHED', versionNo: 1, changed: false } as const
  const made = await site.site.db.insertInto('procedure').values(published).returning('id').executeTakeFirstOrThrow()
  await site.site.db
    .insertInto('procedureVersion')
    .values({ ...plan, procedureId: made.id, no: 1 })
    .execute()
})
afterAll(() => site.end())
beforeEach(() => {
  isStopping = false
})

/** What there is of one alarm: a row for each thing that must happen exactly once. */
const effectsOf = async (recordId: number) => {
  const { rows } = await site.pool.query(
    `select
      (select mode from warn_record where id = $1) as mode,
      (select count(*)::int from procedure_run where record_id = $1) as plans,
      (select count(*)::int from assignment where record_id = $1) as guards,
      (select string_agg(channel, ' ' order by channel) from delivery where subject_type = 'ASSIGNMENT'
        and subject_id in (select id from assignment where record_id = $1)) as guard_messages,
      (select count(*)::int from police_situation where warn_record_id = $1 and mode = 'LIVE') as incidents,
      (select count(*)::int from delivery where subject_type = 'SITUATION'
        and subject_id in (select id from police_situation where warn_record_id = $1)) as police_messages,
      (select count(*)::int from timer where kind = 'record' and subject_id = $1 and step = 'T5' and done_at is null)
        as limits,
      (select count(*)::int from warn_log where record_id = $1 and verb = 'foundReal') as found`,
    [recordId],
  )
  return rows[0]
}
const none = {
  mode: 'TEST',
  plans: 0,
  guards: 0,
  guard_messages: null,
  incidents: 0,
  police_messages: 0,
  limits: 0,
  found: 0,
}
let devices = 0
/** A press that the installation of a new device expects. */
const press = async () => {
  const { deviceId } = await site.mount(`REAL-${(devices += 1)}`)
  const { recordId } = await site.ingest(deviceId)
  expect(await effectsOf(recordId ?? 0)).toEqual(none)
  return { deviceId, id: recordId ?? 0 }
}
const read = (id: number): Promise<LockedRecord> =>
  site.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const onRecord = async (id: number) => ({ id, version: (await read(id)).version })
const claimed = async () => {
  const made = await press()
  await claim(site.site.db, site.operator, made)
  return made
}

type Case = {
  raise: () => Promise<{ deviceId: number; id: number }>
  act: (id: number) => Promise<unknown>
  effects: object
}
const sent = { guards: 1, guard_messages: 'INAPP SMS VOICE' }
const received = { incidents: 1, police_messages: 1 }
const cases: Record<string, Case> = {
  'a guard is sent': {
    raise: claimed,
    act: async (id) => dispatch(site.site.db, site.operator, { ...(await onRecord(id)), responderIds: [guard.id] }),
    effects: sent,
  },
  'somebody goes there': {
    raise: press,
    act: (recordId) =>
      goToRecord(
        site.site.db,
        { actor: site.operator, origin: { ip: '127.0.0.1', userAgent: 't', traceId: 't' } },
        {
          recordId,
          stepKey: randomUUID(),
        },
      ),
    effects: sent,
  },
  'it is handed to the police after a claim': {
    raise: claimed,
    act: async (id) => escalate(site.site.db, site.operator, { ...(await onRecord(id)), reason: '求助' }),
    effects: received,
  },
  'it is handed to the police unclaimed': {
    raise: press,
    act: async (id) => escalate(site.site.db, site.operator, { ...(await onRecord(id)), reason: '求助' }),
    effects: received,
  },
}

it.each(Object.entries(cases))(
  'has every effect of a LIVE alarm once when %s, also after a stop',
  async (_case, { raise, act, effects }) => {
    const { deviceId, id } = await raise()
    const before = await read(id)
    isStopping = true
    await expect(act(id)).rejects.toThrow()
    isStopping = false
    expect(await effectsOf(id)).toEqual(none)
    expect(await read(id)).toEqual(before)
    await act(id)
    const all = { ...none, mode: 'LIVE', plans: 1, limits: 1, found: 1, ...effects }
    expect(await effectsOf(id)).toEqual(all)
    await site.ingest(deviceId)
    expect(await effectsOf(id)).toEqual(all)
    expect(await site.recordsOf(deviceId)).toMatchObject([{ id, occurrenceCount: 2 }])
  },
)

it('has every effect once when two people act on it at the same time', async () => {
  const { id } = await claimed()
  const record = await onRecord(id)
  const acts = await Promise.allSettled([
    dispatch(site.site.db, site.operator, { ...record, responderIds: [guard.id] }),
    escalate(site.site.db, site.operator, { ...record, reason: '求助' }),
  ])
  expect(acts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await escalate(site.site.db, site.operator, { ...(await onRecord(id)), reason: '求助' }).catch(() => undefined)
  expect(await effectsOf(id)).toMatchObject({ mode: 'LIVE', plans: 1, limits: 1, found: 1, ...received })
})
