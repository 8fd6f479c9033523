import { suggestResponder } from '@tocsin/contract/alarm/assignment'
import { formatReadableText } from '@tocsin/contract/alarm/log-text'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { readRecordDetail } from '#areas/alarm/record/detail'
import { logPage } from '#areas/alarm/record/log-list'
import { dispatch, sendMore } from '#areas/alarm/verb/handle'
import type { Actor, Caller } from '#http/route'
import { makeUser } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { advanceAssignment } from './advance.ts'
import { listAssignments } from './assignment-rows.ts'
import { setDuty } from './duty.ts'
import { listResponders } from './responders.ts'

let fixture: AlarmFixture
let ma: Actor
let du: Actor

const caller = (actor: Actor): Caller => ({ actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } })
/** A guard of the first school, on duty. */
const guard = async (username: string): Promise<Actor> => {
  const { id: schoolId, deptId } = fixture.first
  const { id: userId } = await makeUser(fixture.db, { username, nickname: username, deptId, roles: ['guard'] })
  const permissions = new Set(['warn:task:query', 'warn:task:update'])
  const sight = { deptId, depts: [deptId], schools: [schoolId] }
  const actor = { ...sight, userId, sessionId: await session(fixture.db, userId), username, nickname: username }
  await setDuty(fixture.db, caller({ ...actor, permissions }), { onDuty: true })
  return { ...actor, permissions }
}

beforeAll(async () => {
  fixture = await openAlarmFixture()
  await seedSystem(fixture.db, 'Maple-river-42')
  ma = await guard('ma')
  du = await guard('du')
})
afterAll(() => fixture.end())

const list = (recordId: number) => listResponders(fixture.db, fixture.wang, recordId)
const raised = () => {
  const { id: schoolId, deptId } = fixture.first
  return makeRecord(fixture.db, { deptId, schoolId, level: 2, class: 'INTRUSION' })
}
const sendTo = async (record: { id: number; version: number }, { userId }: Actor) => {
  await dispatch(fixture.db, fixture.wang, { ...record, responderIds: [userId] })
  return (await listAssignments(fixture.db, fixture.wang, record.id))[0]?.id ?? 0
}
const step = (actor: Actor, id: number, verb: 'arrive' | 'clear' | 'decline') =>
  advanceAssignment(fixture.db, caller(actor), { verb, input: { id, stepKey: randomUUID(), reason: 'BUSY' } })

describe('the suggested responder', () => {
  it('is another person when the first declined or did not answer, and nobody when both did', async () => {
    for (const earlier of [await raised(), await raised()]) {
      const id = await sendTo(earlier, du)
      for (const verb of ['arrive', 'clear'] as const) await step(du, id, verb)
    }
    const record = await raised()
    expect(suggestResponder(await list(record.id))?.name).toBe('ma')
    const first = await sendTo(record, ma)
    await step(ma, first, 'decline')
    const declined = await list(record.id)
    expect(declined.map(({ name, missed, isHere }) => [name, missed, isHere])).toEqual([
      ['du', null, false],
      ['ma', 'DECLINED', false],
    ])
    expect(suggestResponder(declined)?.name).toBe('du')
    const { version } = await fixture.all
      .selectFrom('warnRecord')
      .select('version')
      .where('id', '=', record.id)
      .executeTakeFirstOrThrow()
    await sendMore(fixture.db, fixture.wang, { id: record.id, version, responderIds: [du.userId] })
    await fixture.all
      .updateTable('assignment')
      .set({ state: 'TIMED_OUT' })
      .where('recordId', '=', record.id)
      .where('responderUserId', '=', du.userId)
      .execute()
    const both = await list(record.id)
    expect(both.map(({ missed }) => missed).toSorted()).toEqual(['DECLINED', 'TIMED_OUT'])
    expect(suggestResponder(both)).toBeUndefined()
    expect(suggestResponder(await list((await raised()).id))).toBeDefined()
  })
})

describe('somebody told by telephone', () => {
  const told = { toldName: '门卫老李', toldPhone: '13800138000' }
  const entry = async (reader: Actor, id: number) =>
    (await readRecordDetail(fixture.db, reader, id)).log.findLast(({ kind }) => kind === 'TRANSITION')

  it('is sent beside people of the school, and is in the timeline with name and number', async () => {
    const record = await raised()
    await dispatch(fixture.db, fixture.wang, { ...record, responderIds: [du.userId], ...told })
    const written = await entry(fixture.wang, record.id)
    expect(written).toMatchObject({ verb: 'dispatch', payload: { guards: 'du', ...told } })
    expect(formatReadableText(written?.payload ?? {}, 'zh-cn')).toBe(
      '派出人员：du；电话告知：门卫老李；联系电话：13800138000',
    )
    expect((await entry(fixture.reader, record.id))?.payload).toMatchObject({ toldPhone: '138****8000' })
  })

  it('is enough to send and to send more where nobody of the school is chosen', async () => {
    const record = await raised()
    const sent = await dispatch(fixture.db, fixture.wang, { ...record, ...told })
    expect(sent).toMatchObject({ state: 'HANDLING' })
    expect(await listAssignments(fixture.db, fixture.wang, record.id)).toEqual([])
    await sendMore(fixture.db, fixture.wang, { id: record.id, version: sent.version, ...told, toldName: '保洁员' })
    const entries = await logPage(fixture.db, fixture.reader, { recordId: record.id, pageNo: 1, pageSize: 10 })
    expect(entries.list[0]?.payload).toMatchObject({ guards: '', toldName: '保洁员', toldPhone: '138****8000' })
  })

  it('is rejected by field without a name, without a number, and when nobody is named at all', async () => {
    const record = await raised()
    const refused = [
      [{ toldName: '门卫老李' }, 'toldPhone'],
      [{ responderIds: [du.userId], toldPhone: '13800138000' }, 'toldName'],
      [{}, 'responderIds'],
    ] as const
    for (const [input, field] of refused)
      await expect(dispatch(fixture.db, fixture.wang, { ...record, ...input })).rejects.toMatchObject({
        errors: [{ field, rule: 'required' }],
      })
    const { body } = warnRecords.dispatch
    expect(body.safeParse({ id: 1, version: 1, ...told, toldPhone: '+86 10-6512 3456' }).data?.toldPhone).toBe(
      '+861065123456',
    )
    expect(body.safeParse({ id: 1, version: 1, ...told, toldPhone: 'ask Li' }).success).toBe(false)
  })
})
