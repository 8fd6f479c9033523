import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAssignees } from '#areas/alarm/record/assignees'
import { countOpen, recordDisplayed, renewLeases } from '#areas/alarm/record/lease'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { claim, reassign, release, claimEscalated } from './claim.ts'

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture(10)
})
afterAll(() => fixture.end())

const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(fixture.db, { deptId: fixture.first.deptId, schoolId: fixture.first.id, level: 2, ...more })
const read = (id: number) =>
  fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const logOf = (id: number) =>
  fixture.all.selectFrom('warnLog').select(['verb', 'payload']).where('recordId', '=', id).orderBy('no').execute()
const pending = async (id: number) => {
  const timers = await fixture.db
    .selectFrom('timer')
    .select('step')
    .where('kind', '=', 'record')
    .where('subjectId', '=', id)
    .where('doneAt', 'is', null)
    .orderBy('step')
    .execute()
  return timers.map(({ step }) => step)
}
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

describe('claim', () => {
  it('is won by one of fifty simultaneous desks; the others learn who has it', async () => {
    const { id } = await raised()
    const desks = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? fixture.zhang : fixture.li))
    const results = await Promise.allSettled(
      // Different sessions of two people: one person wins, and the person's other desks take the claim over.
      desks.map((desk) => claim(fixture.db, desk, { id })),
    )
    const record = await read(id)
    const [winner, loser] =
      record.ownerId === fixture.zhang.userId ? [fixture.zhang, fixture.li] : [fixture.li, fixture.zhang]
    results.forEach((result, i) => {
      if (desks[i] === winner) return expect(result.status).toBe('fulfilled')
      expect(result).toMatchObject({
        status: 'rejected',
        reason: {
          code: codes.alreadyClaimed.code,
          params: { owner: winner.nickname },
          data: { current: { id, ownerId: winner.userId } },
        },
      })
    })
    expect(loser.userId).not.toBe(record.ownerId)
    expect((await logOf(id)).filter(({ verb }) => verb === 'claim')).toHaveLength(1)
    expect(record.version).toBe(2)
  })

  it('is won by one of fifty simultaneous people', async () => {
    const { id } = await raised()
    const people = Array.from({ length: 50 }, (_, i) =>
      i % 3 === 0 ? fixture.wang : i % 3 === 1 ? fixture.li : fixture.zhang,
    )
    const won = new Set<number>()
    await Promise.all(
      people.map(async (person) => {
        if (!(await verbError(claim(fixture.db, person, { id })))) won.add(person.userId)
      }),
    )
    expect([...won]).toEqual([(await read(id)).ownerId])
  })

  it('stops the ringing and starts the timer of the first action', async () => {
    const { id } = await raised()
    await claim(fixture.db, fixture.zhang, { id })
    expect(await pending(id)).toEqual(['LEASE', 'T2'])
    await calls.verify(fixture.db, fixture.zhang, await read(id))
    expect(await pending(id)).toEqual(['LEASE'])
  })

  it('moves the lease to another desk of the same person, and changes nothing when repeated', async () => {
    const { id } = await raised()
    await claim(fixture.db, fixture.zhang, { id })
    expect(await claim(fixture.db, fixture.zhang, { id })).toMatchObject({ version: 2 })
    const desk = { ...fixture.zhang, sessionId: await session(fixture.db, fixture.zhang.userId) }
    await claim(fixture.db, desk, { id })
    expect(await read(id)).toMatchObject({ leaseSessionId: desk.sessionId, ownerId: fixture.zhang.userId, version: 3 })
    expect(await renewLeases(fixture.db, fixture.zhang, [id])).toEqual([])
    expect(await renewLeases(fixture.db, desk, [id])).toEqual([id])
  })

  it('succeeds when the lease has expired, though its timer is late', async () => {
    const { id } = await raised()
    await claim(fixture.db, fixture.zhang, { id })
    await fixture.all
      .updateTable('warnRecord')
      .set({ leaseUntil: ago(1) })
      .where('id', '=', id)
      .execute()
    const row = await claim(fixture.db, fixture.li, { id })
    expect(row).toMatchObject({
      state: 'CLAIMED',
      ownerName: fixture.li.nickname,
      lastOwnerName: fixture.zhang.nickname,
    })
    expect((await logOf(id)).map(({ verb }) => verb)).toEqual(['raise', 'claim', 'loseLease', 'claim'])
  })
})

describe('release', () => {
  it('rings again and keeps the previous owner', async () => {
    const { id } = await raised()
    await claim(fixture.db, fixture.zhang, { id })
    const row = await release(fixture.db, fixture.zhang, { id })
    expect(row).toMatchObject({ state: 'NEW', ownerId: null, leaseUntil: null, lastOwnerName: fixture.zhang.nickname })
    expect(await pending(id)).toEqual(['T1'])
    const again = await verbError(release(fixture.db, fixture.zhang, { id }))
    expect(again?.code).toBe(codes.leaseLost.code)
  })
})

const chooseable = async (permission: string) => {
  const role = await fixture.db
    .insertInto('role')
    .values({ code: `desk-${permission}`, name: `desk ${permission}`, dataScope: 'DEPT' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menu = await fixture.db
    .insertInto('menu')
    .values({ type: 'BUTTON', name: `m ${permission}`, nameEn: `m ${permission}`, permission })
    .returning('id')
    .executeTakeFirstOrThrow()
  await fixture.db.insertInto('roleMenu').values({ roleId: role.id, menuId: menu.id }).execute()
  return role.id
}

describe('reassign', () => {
  it('transfers a record only to somebody who may claim and sees its school', async () => {
    const { id } = await raised()
    const claiming = await chooseable('warn:record:claim')
    const reading = await chooseable('warn:record:get')
    const give = (userId: number, roleId: number) =>
      fixture.db.insertInto('userRole').values({ userId, roleId }).execute()
    await give(fixture.li.userId, claiming)
    await give(fixture.reader.userId, reading)
    await give(fixture.stranger.userId, claiming)
    // An account that waits for its approval cannot sign in.
    await give(fixture.wang.userId, claiming)
    await fixture.all
      .updateTable('users')
      .set({ pending: true, enabled: false })
      .where('id', '=', fixture.wang.userId)
      .execute()
    expect(await listAssignees(fixture.db, fixture.zhang, id)).toEqual([
      { id: fixture.li.userId, name: fixture.li.nickname },
    ])

    await fixture.all
      .updateTable('users')
      .set({ pending: false, enabled: true })
      .where('id', '=', fixture.wang.userId)
      .execute()
    const mine = await claim(fixture.db, fixture.zhang, { id })
    for (const to of [fixture.reader, fixture.stranger])
      await expect(reassign(fixture.db, fixture.zhang, { ...mine, userId: to.userId })).rejects.toMatchObject({
        errors: [{ field: 'userId' }],
      })
    await reassign(fixture.db, fixture.zhang, { ...mine, userId: fixture.li.userId })
    expect(await read(id)).toMatchObject({ ownerId: fixture.li.userId, leaseSessionId: null, state: 'CLAIMED' })
    expect(await renewLeases(fixture.db, fixture.li, [id])).toEqual([id])
    expect(await read(id)).toMatchObject({ leaseSessionId: fixture.li.sessionId })
  })

  it('requires a reason when the claim is older than 20 seconds', async () => {
    const record = await raised({ state: 'HANDLING', ownerId: fixture.zhang.userId, claimedAt: ago(21) })
    const bare = await verbError(reassign(fixture.db, fixture.zhang, { ...record, userId: fixture.li.userId }))
    expect(bare?.code).toBe(codes.reasonNeeded.code)
    await reassign(fixture.db, fixture.zhang, { ...record, userId: fixture.li.userId, reason: 'shift ends' })
    expect((await logOf(record.id)).at(-1)).toMatchObject({ verb: 'reassign', payload: { reason: 'shift ends' } })
  })
})

describe('renew', () => {
  it('renews own claims of an open, unlocked session only, without version or log', async () => {
    const { id } = await raised()
    await claim(fixture.db, fixture.zhang, { id })
    const soon = ago(-5)
    await fixture.all.updateTable('warnRecord').set({ leaseUntil: soon }).where('id', '=', id).execute()
    expect(await renewLeases(fixture.db, fixture.li, [id])).toEqual([])
    expect(await renewLeases(fixture.db, fixture.stranger, [id])).toEqual([])
    expect(await renewLeases(fixture.db, fixture.zhang, [id])).toEqual([id])
    const renewed = await read(id)
    expect(renewed.leaseUntil?.getTime()).toBeGreaterThan(soon.getTime())
    expect(renewed.version).toBe(2)
    expect(await logOf(id)).toHaveLength(2)

    const lock = (lockedAt: Date | null) =>
      fixture.db.updateTable('session').set({ lockedAt }).where('id', '=', fixture.zhang.sessionId).execute()
    await lock(new Date())
    expect(await renewLeases(fixture.db, fixture.zhang, [id])).toEqual([])
    await lock(null)
    expect(await renewLeases(fixture.db, fixture.zhang, [id])).toEqual([id])
  })
})

describe('displayed', () => {
  it('keeps the first time of each desk, and the first of all desks as milestone, logged once', async () => {
    const { id } = await raised()
    const hidden = await makeRecord(fixture.db, { deptId: fixture.second.deptId, schoolId: fixture.second.id })
    await recordDisplayed(fixture.db, fixture.zhang, { shown: [id, hidden.id], sounded: [] })
    const { displayedAt } = await read(id)
    await recordDisplayed(fixture.db, fixture.li, { shown: [id], sounded: [id] })
    await recordDisplayed(fixture.db, fixture.zhang, { shown: [id], sounded: [id] })
    const record = await read(id)
    expect(displayedAt).not.toBeNull()
    expect(record).toMatchObject({ displayedAt, version: 1, logCount: 1 })
    const sightings = await fixture.db.selectFrom('warnSighting').selectAll().where('recordId', '=', id).execute()
    const byDesk = new Map(sightings.map((sighting) => [sighting.sessionId, sighting]))
    expect(byDesk.get(fixture.zhang.sessionId)?.displayedAt).toEqual(expect.any(Date))
    expect(byDesk.get(fixture.zhang.sessionId)?.soundedAt).toEqual(expect.any(Date))
    expect(record.soundedAt?.getTime()).toBeGreaterThanOrEqual(displayedAt?.getTime() ?? Number.POSITIVE_INFINITY)
    const events = await fixture.db.selectFrom('event').select('type').where('ref', '=', id).execute()
    expect(events).toEqual([{ type: 'alarm.changed' }, { type: 'alarm.changed' }])
    const untouched = await fixture.db
      .selectFrom('warnSighting')
      .selectAll()
      .where('recordId', '=', hidden.id)
      .execute()
    expect(untouched).toEqual([])
  })

  it('ignores reports of a user who may not read records, and returns no count', async () => {
    const { id } = await raised()
    const blind = { ...fixture.zhang, permissions: new Set(['system:user:query']) }
    await recordDisplayed(fixture.db, blind, { shown: [id], sounded: [id] })
    expect(await read(id)).toMatchObject({ displayedAt: null, soundedAt: null })
    expect(await fixture.db.selectFrom('warnSighting').selectAll().where('recordId', '=', id).execute()).toEqual([])
    expect(await countOpen(fixture.db, blind)).toEqual({ open: 0, due: 0, rings: false })
    expect((await countOpen(fixture.db, fixture.zhang)).open).toBeGreaterThan(0)
  })

  it('does not deadlock when desks report the same records in different order', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => raised()))
    const ids = records.map(({ id }) => id)
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const order = i % 2 === 0 ? ids : ids.toReversed()
        return recordDisplayed(fixture.db, i % 3 === 0 ? fixture.zhang : fixture.li, { shown: order, sounded: order })
      }),
    )
    const seen = await fixture.all.selectFrom('warnRecord').select('soundedAt').where('id', 'in', ids).execute()
    expect(seen.every(({ soundedAt }) => soundedAt !== null)).toBe(true)
  })
})

it('counts visible open records and the unclaimed ones among them', async () => {
  const before = await countOpen(fixture.db, fixture.stranger)
  const place = { deptId: fixture.second.deptId, schoolId: fixture.second.id }
  await makeRecord(fixture.db, place)
  const claimed = await makeRecord(fixture.db, place)
  const shelved = await makeRecord(fixture.db, { ...place, class: 'DEVICE_HEALTH', code: 'DEVICE_OFFLINE', level: 3 })
  await raised()
  const set = (id: number, values: object) =>
    fixture.all.updateTable('warnRecord').set(values).where('id', '=', id).execute()
  await set(claimed.id, { state: 'HANDLING', ownerId: fixture.zhang.userId })
  await set(shelved.id, { shelvedUntil: new Date(Date.now() + 3_600_000) })
  const reader = { ...fixture.stranger, permissions: new Set(['warn:record:query']) }
  const counted = { open: before.open + 3, due: before.due + 1 }
  expect(await countOpen(fixture.db, fixture.stranger)).toEqual({ ...counted, rings: true })
  expect(await countOpen(fixture.db, reader)).toEqual({ ...counted, rings: false })
  await set(shelved.id, { shelvedUntil: new Date(Date.now() - 1000) })
  expect(await countOpen(fixture.db, fixture.stranger)).toMatchObject({ due: before.due + 2 })
})

describe('an unclaimed escalated record', () => {
  it('is taken over by one person, and the others learn who', async () => {
    const { id } = await makeRecord(fixture.db, {
      deptId: fixture.first.deptId,
      schoolId: fixture.first.id,
      state: 'ESCALATED',
      class: 'PANIC',
      level: 1,
    })
    const tries = await Promise.allSettled([
      claimEscalated(fixture.db, fixture.zhang, { id }),
      claimEscalated(fixture.db, fixture.li, { id }),
    ])
    const won = tries.find((item) => item.status === 'fulfilled')
    const lost = tries.find((item) => item.status === 'rejected')
    expect(won?.value).toMatchObject({ state: 'ESCALATED', claimedAt: expect.any(Date) })
    expect(lost?.reason).toMatchObject({ code: codes.alreadyClaimed.code })
  })
})
