import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAssignees } from '#areas/alarm/record/assignees'
import { countOpen, recordDisplayed, renewLeases } from '#areas/alarm/record/lease'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { claim, reassign, release, claimEscalated } from './claim.ts'

let world: AlarmFixture
beforeAll(async () => {
  world = await openAlarmFixture(10)
})
afterAll(() => world.end())

const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id, level: 2, ...more })
const read = (id: number) =>
  world.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const logOf = (id: number) =>
  world.all.selectFrom('warnLog').select(['verb', 'payload']).where('recordId', '=', id).orderBy('no').execute()
const pending = async (id: number) => {
  const timers = await world.db
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
    const desks = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? world.zhang : world.li))
    const results = await Promise.allSettled(
      // Different sessions of two people: one person wins, and the person's other desks take the claim over.
      desks.map((desk) => claim(world.db, desk, { id })),
    )
    const record = await read(id)
    const [winner, loser] = record.ownerId === world.zhang.userId ? [world.zhang, world.li] : [world.li, world.zhang]
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
      i % 3 === 0 ? world.wang : i % 3 === 1 ? world.li : world.zhang,
    )
    const won = new Set<number>()
    await Promise.all(
      people.map(async (person) => {
        if (!(await verbError(claim(world.db, person, { id })))) won.add(person.userId)
      }),
    )
    expect([...won]).toEqual([(await read(id)).ownerId])
  })

  it('stops the ringing and starts the timer of the first action', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    expect(await pending(id)).toEqual(['LEASE', 'T2'])
    await calls.verify(world.db, world.zhang, await read(id))
    expect(await pending(id)).toEqual(['LEASE'])
  })

  it('moves the lease to another desk of the same person, and changes nothing when repeated', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    expect(await claim(world.db, world.zhang, { id })).toMatchObject({ version: 2 })
    const desk = { ...world.zhang, sessionId: await session(world.db, world.zhang.userId) }
    await claim(world.db, desk, { id })
    expect(await read(id)).toMatchObject({ leaseSessionId: desk.sessionId, ownerId: world.zhang.userId, version: 3 })
    expect(await renewLeases(world.db, world.zhang, [id])).toEqual([])
    expect(await renewLeases(world.db, desk, [id])).toEqual([id])
  })

  it('succeeds when the lease has expired, though its timer is late', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    await world.all
      .updateTable('warnRecord')
      .set({ leaseUntil: ago(1) })
      .where('id', '=', id)
      .execute()
    const row = await claim(world.db, world.li, { id })
    expect(row).toMatchObject({ state: 'CLAIMED', ownerName: world.li.nickname, lastOwnerName: world.zhang.nickname })
    expect((await logOf(id)).map(({ verb }) => verb)).toEqual(['raise', 'claim', 'loseLease', 'claim'])
  })
})

describe('release', () => {
  it('rings again and keeps the previous owner', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    const row = await release(world.db, world.zhang, { id })
    expect(row).toMatchObject({ state: 'NEW', ownerId: null, leaseUntil: null, lastOwnerName: world.zhang.nickname })
    expect(await pending(id)).toEqual(['T1'])
    const again = await verbError(release(world.db, world.zhang, { id }))
    expect(again?.code).toBe(codes.leaseLost.code)
  })
})

const chooseable = async (permission: string) => {
  const role = await world.db
    .insertInto('role')
    .values({ code: `desk-${permission}`, name: `desk ${permission}`, dataScope: 'DEPT' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menu = await world.db
    .insertInto('menu')
    .values({ type: 'BUTTON', name: `m ${permission}`, nameEn: `m ${permission}`, permission })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.db.insertInto('roleMenu').values({ roleId: role.id, menuId: menu.id }).execute()
  return role.id
}

describe('reassign', () => {
  it('transfers a record only to somebody who may claim and sees its school', async () => {
    const { id } = await raised()
    const claiming = await chooseable('warn:record:claim')
    const reading = await chooseable('warn:record:get')
    const give = (userId: number, roleId: number) =>
      world.db.insertInto('userRole').values({ userId, roleId }).execute()
    await give(world.li.userId, claiming)
    await give(world.reader.userId, reading)
    await give(world.stranger.userId, claiming)
    expect(await listAssignees(world.db, world.zhang, id)).toEqual([{ id: world.li.userId, name: world.li.nickname }])

    const mine = await claim(world.db, world.zhang, { id })
    for (const to of [world.reader, world.stranger])
      await expect(reassign(world.db, world.zhang, { ...mine, userId: to.userId })).rejects.toMatchObject({
        errors: [{ field: 'userId' }],
      })
    await reassign(world.db, world.zhang, { ...mine, userId: world.li.userId })
    expect(await read(id)).toMatchObject({ ownerId: world.li.userId, leaseSessionId: null, state: 'CLAIMED' })
    expect(await renewLeases(world.db, world.li, [id])).toEqual([id])
    expect(await read(id)).toMatchObject({ leaseSessionId: world.li.sessionId })
  })

  it('requires a reason when the claim is older than 20 seconds', async () => {
    const record = await raised({ state: 'HANDLING', ownerId: world.zhang.userId, claimedAt: ago(21) })
    const bare = await verbError(reassign(world.db, world.zhang, { ...record, userId: world.li.userId }))
    expect(bare?.code).toBe(codes.reasonNeeded.code)
    await reassign(world.db, world.zhang, { ...record, userId: world.li.userId, reason: 'shift ends' })
    expect((await logOf(record.id)).at(-1)).toMatchObject({ verb: 'reassign', payload: { reason: 'shift ends' } })
  })
})

describe('renew', () => {
  it('renews own claims of an open, unlocked session only, without version or log', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    const soon = ago(-5)
    await world.all.updateTable('warnRecord').set({ leaseUntil: soon }).where('id', '=', id).execute()
    expect(await renewLeases(world.db, world.li, [id])).toEqual([])
    expect(await renewLeases(world.db, world.stranger, [id])).toEqual([])
    expect(await renewLeases(world.db, world.zhang, [id])).toEqual([id])
    const renewed = await read(id)
    expect(renewed.leaseUntil?.getTime()).toBeGreaterThan(soon.getTime())
    expect(renewed.version).toBe(2)
    expect(await logOf(id)).toHaveLength(2)

    const lock = (lockedAt: Date | null) =>
      world.db.updateTable('session').set({ lockedAt }).where('id', '=', world.zhang.sessionId).execute()
    await lock(new Date())
    expect(await renewLeases(world.db, world.zhang, [id])).toEqual([])
    await lock(null)
    expect(await renewLeases(world.db, world.zhang, [id])).toEqual([id])
  })
})

describe('displayed', () => {
  it('keeps the first time of each desk, and the first of all desks as milestone, logged once', async () => {
    const { id } = await raised()
    const hidden = await makeRecord(world.db, { deptId: world.second.deptId, schoolId: world.second.id })
    await recordDisplayed(world.db, world.zhang, { shown: [id, hidden.id], sounded: [] })
    const { displayedAt } = await read(id)
    await recordDisplayed(world.db, world.li, { shown: [id], sounded: [id] })
    await recordDisplayed(world.db, world.zhang, { shown: [id], sounded: [id] })
    const record = await read(id)
    expect(displayedAt).not.toBeNull()
    expect(record).toMatchObject({ displayedAt, version: 1, logCount: 1 })
    const sightings = await world.db.selectFrom('warnSighting').selectAll().where('recordId', '=', id).execute()
    const byDesk = new Map(sightings.map((sighting) => [sighting.sessionId, sighting]))
    expect(byDesk.get(world.zhang.sessionId)?.displayedAt).toEqual(expect.any(Date))
    expect(byDesk.get(world.zhang.sessionId)?.soundedAt).toEqual(expect.any(Date))
    expect(record.soundedAt?.getTime()).toBeGreaterThanOrEqual(displayedAt?.getTime() ?? Number.POSITIVE_INFINITY)
    const events = await world.db.selectFrom('event').select('type').where('ref', '=', id).execute()
    expect(events).toEqual([{ type: 'alarm.changed' }, { type: 'alarm.changed' }])
    const untouched = await world.db.selectFrom('warnSighting').selectAll().where('recordId', '=', hidden.id).execute()
    expect(untouched).toEqual([])
  })

  it('ignores reports of a user who may not read records, and returns no count', async () => {
    const { id } = await raised()
    const blind = { ...world.zhang, permissions: new Set(['system:user:query']) }
    await recordDisplayed(world.db, blind, { shown: [id], sounded: [id] })
    expect(await read(id)).toMatchObject({ displayedAt: null, soundedAt: null })
    expect(await world.db.selectFrom('warnSighting').selectAll().where('recordId', '=', id).execute()).toEqual([])
    expect(await countOpen(world.db, blind)).toEqual({ open: 0, due: 0, rings: false })
    expect((await countOpen(world.db, world.zhang)).open).toBeGreaterThan(0)
  })

  it('does not deadlock when desks report the same records in different order', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => raised()))
    const ids = records.map(({ id }) => id)
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const order = i % 2 === 0 ? ids : ids.toReversed()
        return recordDisplayed(world.db, i % 3 === 0 ? world.zhang : world.li, { shown: order, sounded: order })
      }),
    )
    const seen = await world.all.selectFrom('warnRecord').select('soundedAt').where('id', 'in', ids).execute()
    expect(seen.every(({ soundedAt }) => soundedAt !== null)).toBe(true)
  })
})

it('counts visible open records and the unclaimed ones among them', async () => {
  const before = await countOpen(world.db, world.stranger)
  const place = { deptId: world.second.deptId, schoolId: world.second.id }
  await makeRecord(world.db, place)
  const claimed = await makeRecord(world.db, place)
  const shelved = await makeRecord(world.db, { ...place, class: 'DEVICE_HEALTH', code: 'DEVICE_OFFLINE', level: 3 })
  await raised()
  const set = (id: number, values: object) =>
    world.all.updateTable('warnRecord').set(values).where('id', '=', id).execute()
  await set(claimed.id, { state: 'HANDLING', ownerId: world.zhang.userId })
  await set(shelved.id, { shelvedUntil: new Date(Date.now() + 3_600_000) })
  const reader = { ...world.stranger, permissions: new Set(['warn:record:query']) }
  const counted = { open: before.open + 3, due: before.due + 1 }
  expect(await countOpen(world.db, world.stranger)).toEqual({ ...counted, rings: true })
  expect(await countOpen(world.db, reader)).toEqual({ ...counted, rings: false })
  await set(shelved.id, { shelvedUntil: new Date(Date.now() - 1000) })
  expect(await countOpen(world.db, world.stranger)).toMatchObject({ due: before.due + 2 })
})

describe('an unclaimed escalated record', () => {
  it('is taken over by one person, and the others learn who', async () => {
    const { id } = await makeRecord(world.db, {
      deptId: world.first.deptId,
      schoolId: world.first.id,
      state: 'ESCALATED',
      class: 'PANIC',
      level: 1,
    })
    const tries = await Promise.allSettled([
      claimEscalated(world.db, world.zhang, { id }),
      claimEscalated(world.db, world.li, { id }),
    ])
    const won = tries.find((item) => item.status === 'fulfilled')
    const lost = tries.find((item) => item.status === 'rejected')
    expect(won?.value).toMatchObject({ state: 'ESCALATED', claimedAt: expect.any(Date) })
    expect(lost?.reason).toMatchObject({ code: codes.alreadyClaimed.code })
  })
})
