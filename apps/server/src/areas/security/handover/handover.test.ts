import { codes } from '@tocsin/contract/codes'
import {
  type HandoverState,
  handoverVerbs,
  type HandoverVerb,
  handoverRule,
  whyNotHandoverVerb,
} from '@tocsin/contract/security/handover-machine'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { PASSWORD } from '../../../../test/admin-server.ts'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

let site: DutyServer
let ma: { id: number; token: string }
let du: { id: number; token: string }
beforeAll(async () => {
  site = await startDutyServer()
  ma = await site.guard('马军')
  du = await site.guard('杜伟')
})
afterAll(() => site.end())

const H = '/security/handover'
const post = (path: string, body: object, token: string) => site.call('POST', `${H}/${path}`, body, token)
const start = async (token: string, more: object = {}) => {
  const { data } = await post('create', { schoolId: site.schoolId, deptId: null, ...more }, token)
  return data as unknown as number
}
const row = (id: number) => site.all.selectFrom('handover').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const userOf = async ({ id }: { id: number }) =>
  (await site.all.selectFrom('employee').select('userId').where('id', '=', id).executeTakeFirstOrThrow()).userId ?? 0
const clear = () => site.all.deleteFrom('handover').execute()

describe('a handover', () => {
  it('is refused while an alarm lacks an owner, then signed by two people with audit and event', async () => {
    const record = await makeRecord(site.site.db, { schoolId: site.schoolId, deptId: site.here.deptId })
    const id = await start(ma.token, { note: '西门灯坏' })
    const refused = await post('give', { id, version: 1 }, ma.token)
    expect(refused).toMatchObject({ code: codes.handoverUnowned.code })
    expect(refused.msg).toContain(record.no)
    const own = (ownerId: number) =>
      site.all
        .updateTable('warnRecord')
        .set({ state: 'CLAIMED', ownerId, leaseUntil: new Date() })
        .where('id', '=', record.id)
        .execute()
    // Who leaves is no owner.
    await own(await userOf(ma))
    expect((await post('give', { id, version: 1 }, ma.token)).code).toBe(codes.handoverUnowned.code)
    const detail = (await site.call('GET', `${H}/get?id=${id}`, undefined, du.token)).data
    expect(detail).toMatchObject({ isGiver: false, giverName: 'duty1', summary: { lacking: 1 } })
    await own(await userOf(du))
    expect((await post('give', { id, version: 1 }, du.token)).code).toBe(codes.handoverNotYours.code)
    expect((await post('take', { id, version: 1 }, du.token)).code).toBe(codes.handoverState.code)
    expect((await post('give', { id, version: 1 }, ma.token)).code).toBe(200)
    expect((await post('take', { id, version: 2 }, ma.token)).code).toBe(codes.handoverSelf.code)
    expect((await post('take', { id, version: 1 }, du.token)).code).toBe(codes.stale.code)
    expect((await post('take', { id, version: 2, note: '已知晓' }, du.token)).code).toBe(200)
    expect(await row(id)).toMatchObject({ state: 'DONE', takerNote: '已知晓', note: '西门灯坏' })
    const signed = (await site.call('GET', `${H}/get?id=${id}`, undefined, ma.token)).data
    expect(signed).toMatchObject({ takerName: 'duty2', summary: { lacking: 0 } })
    const { items } = signed['summary'] as unknown as { items: { kind: string; no: string }[] }
    expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'RECORD', no: record.no })]))
    expect(await site.audited('handover', id)).toEqual([
      'security:handover:create',
      'security:handover:give',
      'security:handover:take',
    ])
    expect((await site.events('handover.changed')).filter(({ ref }) => ref === id)).toHaveLength(3)
    const sheet = async (query: string, token = site.adminToken) => {
      const headers = { authorization: `Bearer ${token}` }
      return (
        await site.site.app.inject({ url: `/admin-api${H}/export?format=csv&${query}`, headers })
      ).body.replaceAll('"', '')
    }
    expect(await sheet('')).toMatch(/东湖一小,duty1,.*,西门灯坏,duty2,.*,已知晓,/)
    expect(await sheet('state=DRAFT')).not.toContain('西门灯坏')
    expect(await sheet('', ma.token)).toContain(String(codes.forbidden.code))
    const { token: elsewhere, userId } = await site.clerk('security:handover:export')
    await site.all.updateTable('users').set({ deptId: site.there.deptId }).where('id', '=', userId).execute()
    expect(await sheet('', elsewhere)).not.toContain('西门灯坏')
    await clear()
  })

  it('is one for each person, with a note until it is signed, and can be cancelled', async () => {
    const id = await start(ma.token)
    expect((await post('create', { schoolId: site.schoolId, deptId: null }, ma.token)).code).toBe(
      codes.handoverOpen.code,
    )
    expect((await post('create', { schoolId: null, deptId: null }, du.token)).code).toBe(codes.postNeedsOwner.code)
    expect((await post('note', { id, version: 1, note: '门禁已修' }, ma.token)).code).toBe(200)
    expect((await post('give', { id, version: 2 }, ma.token)).code).toBe(200)
    expect((await post('note', { id, version: 3, note: '改' }, ma.token)).code).toBe(codes.handoverState.code)
    expect((await post('cancel', { id }, du.token)).code).toBe(codes.handoverNotYours.code)
    expect((await post('cancel', { id }, ma.token)).code).toBe(200)
    expect(await row(id)).toMatchObject({ state: 'CANCELLED', note: '门禁已修' })
    await clear()
  })

  it('keeps who leaves on duty until the other signed, and then ends the shift', async () => {
    const postId = await site.post()
    const now = Date.now()
    const { id: shiftId } = await site.all
      .insertInto('shift')
      .values({
        postId,
        schoolId: site.schoolId,
        employeeId: ma.id,
        fromAt: new Date(now - 3_600_000),
        toAt: new Date(now),
        state: 'CHECKED_IN',
        publishedAt: new Date(),
        checkedInAt: new Date(now - 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const units = (await site.call('GET', `${H}/units`, undefined, ma.token)).data
    expect(units).toEqual([{ schoolId: site.schoolId, deptId: null, name: '东湖一小', isOnDuty: true }])
    const id = await start(ma.token)
    const end = await site.call('POST', '/security/shift/check-out', { id: shiftId }, ma.token)
    expect(end.code).toBe(codes.handoverFirst.code)
    await post('give', { id }, ma.token)
    expect((await post('take', { id }, du.token)).code).toBe(200)
    const shift = await site.all.selectFrom('shift').select('state').where('id', '=', shiftId).executeTakeFirst()
    expect(shift?.state).toBe('DONE')
    await site.all.deleteFrom('shift').execute()
    await clear()
  })

  it('is seen and signed by nobody of elsewhere', async () => {
    const id = await start(ma.token)
    await makeUser(site.site.db, {
      username: 'stranger',
      password: PASSWORD,
      deptId: site.there.deptId,
      roles: ['guard'],
    })
    const token = await site.site.tokenOf('stranger', PASSWORD)
    expect((await site.call('GET', `${H}/page`, undefined, token)).data).toMatchObject({ list: [] })
    expect((await site.call('GET', `${H}/get?id=${id}`, undefined, token)).code).toBe(codes.notFound.code)
    expect((await post('take', { id }, token)).code).toBe(codes.notFound.code)
    expect((await post('create', { schoolId: site.schoolId, deptId: null }, token)).code).toBe(codes.notFound.code)
    const clerk = await site.clerk('security:handover:query')
    expect((await post('give', { id }, clerk.token)).code).toBe(codes.forbidden.code)
    await clear()
  })
})

it('of a department is taken over only by its members, since its summary is what the taker sees', async () => {
  const { id } = await site.all
    .insertInto('handover')
    .values({ deptId: site.here.deptId, giverId: await userOf(ma), state: 'GIVEN' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await site.call('POST', `${H}/take`, { id })).code).toBe(codes.handoverMember.code)
  await clear()
})

describe('seats', () => {
  it('shows who started a shift at the desk, which is the check-in', async () => {
    const postId = await site.post({ type: 'SEAT', name: '一号席' })
    const gateId = await site.post({ name: '西门' })
    const now = Date.now()
    const plan = async (id: number, employeeId: number) =>
      site.all
        .insertInto('shift')
        .values({
          postId: id,
          schoolId: site.schoolId,
          employeeId,
          fromAt: new Date(now),
          toAt: new Date(now + 3_600_000),
          publishedAt: new Date(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const [seat, gate] = [await plan(postId, ma.id), await plan(gateId, du.id)]
    const checkIn = (id: number, token: string) =>
      site.call('POST', '/security/shift/check-in', { id, method: 'DESK' }, token)
    expect((await checkIn(gate.id, du.token)).code).toBe(codes.shiftNotSeat.code)
    expect((await checkIn(seat.id, du.token)).code).toBe(codes.shiftNotYours.code)
    expect((await checkIn(seat.id, ma.token)).code).toBe(200)
    expect((await site.call('GET', `${H}/seats`)).data).toMatchObject([
      { shiftId: seat.id, postName: '一号席', employeeName: '马军', isOnline: true },
    ])
    await site.all.deleteFrom('shift').execute()
  })
})

describe('the end of the shift of a seat', () => {
  const now = Date.now()
  /** A checked-in shift that is over by its hours. */
  const sit = async (type: 'SEAT' | 'GATE', employeeId: number) => {
    const { id } = await site.all
      .insertInto('shift')
      .values({
        postId: await site.post({ type }),
        schoolId: site.schoolId,
        employeeId,
        fromAt: new Date(now - 3_600_000),
        toAt: new Date(now),
        state: 'CHECKED_IN',
        publishedAt: new Date(),
        checkedInAt: new Date(now - 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const end = (id: number, token?: string, more: object = {}) =>
    site.call('POST', '/security/shift/check-out', { id, ...more }, token)
  const give = async (ownerId: number, more: object = {}) => {
    const record = await makeRecord(site.site.db, { schoolId: site.schoolId, deptId: site.here.deptId, ...more })
    await site.all
      .updateTable('warnRecord')
      .set({ state: 'CLAIMED', ownerId, leaseUntil: new Date() })
      .where('id', '=', record.id)
      .execute()
    return record
  }
  afterEach(async () => {
    await site.all.deleteFrom('shift').execute()
    // Owned by a person who stays.
    await site.all
      .updateTable('warnRecord')
      .set({ ownerId: await userOf(du) })
      .execute()
  })

  it('is refused with the numbers of open alarms that its person owns, whoever ends it', async () => {
    const seat = await sit('SEAT', ma.id)
    const record = await give(await userOf(ma))
    for (const token of [ma.token, undefined]) {
      const refused = await end(seat, token)
      expect(refused.code).toBe(codes.shiftOwnsAlarms.code)
      expect(refused.msg).toContain(record.no)
      expect(refused.msg).toContain('马军')
    }
    // Neither by leaving early.
    await site.all
      .updateTable('shift')
      .set({ toAt: new Date(now + 3_600_000) })
      .execute()
    expect((await end(seat, ma.token, { reason: '就医' })).code).toBe(codes.shiftOwnsAlarms.code)
    await site.all
      .updateTable('warnRecord')
      .set({ ownerId: await userOf(du) })
      .where('id', '=', record.id)
      .execute()
    expect((await end(seat, ma.token, { reason: '就医' })).code).toBe(200)
  })

  it('is not refused for a gate, a drill or a shelved alarm', async () => {
    await give(await userOf(ma), { mode: 'DRILL' })
    const shelved = await give(await userOf(ma), { class: 'DEVICE_HEALTH' })
    await site.all
      .updateTable('warnRecord')
      .set({ shelvedUntil: new Date(now + 3_600_000) })
      .where('id', '=', shelved.id)
      .execute()
    expect((await end(await sit('SEAT', ma.id), ma.token)).code).toBe(200)
    await give(await userOf(du))
    expect((await end(await sit('GATE', du.id), du.token)).code).toBe(200)
  })
})

/** What the handover should be, by the table alone. */
type Model = { state: HandoverState; version: number }

describe('the machine', () => {
  it('takes what the table allows and rejects the rest, whoever signs', async () => {
    const people = [ma, du]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...handoverVerbs), fc.integer({ min: 0, max: 1 })), { maxLength: 6 }),
        async (steps: [HandoverVerb, number][]) => {
          await clear()
          const id = await start(ma.token)
          const model: Model = { state: 'DRAFT', version: 1 }
          for (const [verb, step] of steps) {
            const isGiver = step === 0
            const why = whyNotHandoverVerb(verb, { state: model.state, isGiver, lacking: 0 })
            const body = { id, version: model.version, ...(verb === 'note' && { note: '备注' }) }
            const { code } = await post(verb, body, people[step]?.token ?? '')
            expect(code).toBe(why?.code ?? 200)
            if (why) continue
            const { to } = handoverRule(verb)
            model.version += 1
            if (to !== 'same') model.state = to
          }
          const stored = await row(id)
          expect({ state: stored.state, version: stored.version }).toEqual(model)
          expect(stored.takerId !== null).toBe(stored.state === 'DONE')
        },
      ),
      { numRuns: sampleSize(25) },
    )
    await clear()
  })
})
