import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBreakableLink } from '../../test/breakable-link.ts'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { receivedEvents, type LivePage } from '../../test/live-page.ts'
import { live, type LiveServer, makeActor, startLiveServer } from '../../test/live-server.ts'
import { createSubscriberIndex } from './subscriber-index.ts'

let database: TestDatabase
let server: LiveServer

const inFirst = makeActor({ userId: 1, schools: [11], depts: [101] })
const inSecond = makeActor({ userId: 2, schools: [12, 13] })
const ofDept = makeActor({ userId: 3, depts: [102] })
const ofAll = makeActor({ userId: 4, schools: 'all', depts: 'all' })

let last = 1000
/** Everybody receives this event; a subscriber that received it has received all before it. */
const ring = async (...pages: LivePage[]) => {
  last += 1
  const ref = last
  await server.commit({ type: 'dict.changed', ref })
  await Promise.all(pages.map((page) => page.until((frame) => 'data' in frame && frame.data.ref === ref)))
}
const below = (page: LivePage) => receivedEvents(page).filter((ref) => ref !== null && ref < 1000)

beforeAll(async () => {
  database = await cloneDatabase()
  server = await startLiveServer(database)
  const known = { first: inFirst, second: inSecond, dept: ofDept, all: ofAll }
  for (const [token, actor] of Object.entries(known)) server.bearers.set(token, live(actor))
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

describe('delivery', () => {
  it('follows school, department and user, once each, in order of the numbers', async () => {
    const pages = await Promise.all(['first', 'second', 'dept', 'all'].map((token) => server.page(token)))
    await server.commit(
      { type: 'alarm.raised', ref: 1, schoolId: 11 },
      { type: 'alarm.raised', ref: 2, schoolId: 13 },
      { type: 'alarm.raised', ref: 3, deptId: 102 },
      { type: 'notice.published', ref: 4, userId: 2 },
      { type: 'dict.changed', ref: 5 },
      { type: 'alarm.changed', ref: 6, schoolId: 11, deptId: 101, userId: 1 },
      { type: 'alarm.changed', ref: 7, schoolId: 99, deptId: 99 },
    )
    await ring(...pages)
    expect(pages.map(below)).toEqual([
      [1, 5, 6],
      [2, 4, 5],
      [3, 5],
      [1, 2, 3, 5, 6, 7],
    ])
    for (const { frames } of pages) {
      const ids = frames.flatMap((frame) => ('data' in frame ? [frame.id] : []))
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
    }
    for (const { ws } of pages) ws.close()
  })

  it("changes with a user's rights from the very event that changes them", async () => {
    const page = await server.page('first')
    const other = await server.page('all')
    server.bearers.set('first', live({ ...inFirst, schools: [12], depts: [] }))
    await server.commit(
      { type: 'alarm.changed', ref: 21, schoolId: 11 },
      { type: 'permission.changed', ref: 22, userId: 1 },
      { type: 'alarm.changed', ref: 23, schoolId: 11 },
      { type: 'alarm.changed', ref: 24, schoolId: 12 },
    )
    await ring(page, other)
    expect(below(page)).toEqual([21, 22, 24])
    expect(server.dropped).toContainEqual({ userId: 1 })
    server.bearers.set('first', live(inFirst))
    await server.commit({ type: 'permission.changed' })
    await ring(page)
    expect(server.dropped).toContainEqual('all')
    await server.commit({ type: 'alarm.changed', ref: 25, schoolId: 11 })
    await ring(page)
    expect(below(page)).toEqual([21, 22, 24, 25])
    for (const { ws } of [page, other]) ws.close()
  })

  it('closes with 4403 when another user ended the session, and with 4401 after a sign-out', async () => {
    server.bearers.set('kicked', live(makeActor({ userId: 5 })))
    server.bearers.set('left', live(makeActor({ userId: 6 })))
    const [kicked, left] = await Promise.all([server.page('kicked'), server.page('left')])
    server.bearers.set('kicked', { kind: 'killed', reason: 'KICKED' })
    server.bearers.set('left', { kind: 'none' })
    await server.commit({ type: 'session.ended', userId: 5 }, { type: 'session.ended', userId: 6 })
    expect(await Promise.all([kicked.ended, left.ended])).toEqual([4403, 4401])
  })

  it('sends only a count while the session is locked, and everything missed after it is unlocked', async () => {
    const bearer = live(makeActor({ userId: 7, schools: [11] }), { locked: true })
    server.bearers.set('locked', bearer)
    Object.assign(server.counts, { open: 3, due: 1 })
    const page = await server.page('locked')
    expect(await page.until(({ type }) => type === 'ready')).toMatchObject({ locked: true })
    await page.until((frame) => frame.type === 'count' && frame.open === 3 && frame.due === 1)
    server.counts.open = 4
    await server.commit(
      { type: 'alarm.raised', ref: 31, schoolId: 11 },
      { type: 'alarm.raised', ref: 32, schoolId: 12 },
      { type: 'notice.published', ref: 33 },
    )
    await page.until((frame) => frame.type === 'count' && frame.open === 4)
    expect(receivedEvents(page)).toEqual([])
    server.bearers.set('locked', live(makeActor({ userId: 7, schools: [11] })))
    await server.commit({ type: 'permission.changed', ref: 34, userId: 7 })
    await page.until((frame) => frame.type === 'ready' && !frame.locked)
    await ring(page)
    expect(below(page)).toEqual([31, 33, 34])
    page.ws.close()
  })

  it('reaches only the subscribers of the address, however many there are', () => {
    const audience = createSubscriberIndex<number>()
    for (let desk = 0; desk < 500; desk += 1) audience.place(desk, { userId: desk, schools: [desk % 100], depts: [] })
    const called: number[] = []
    audience.each({ schoolId: 7, deptId: null, userId: null }, (desk) => called.push(desk))
    expect(called).toEqual([7, 107, 207, 307, 407])
    audience.place(7, { userId: 7, schools: [8], depts: [] })
    audience.remove(107)
    called.length = 0
    audience.each({ schoolId: 7, deptId: null, userId: null }, (desk) => called.push(desk))
    expect(called).toEqual([207, 307, 407])
    called.length = 0
    audience.each({ schoolId: null, deptId: null, userId: null }, (desk) => called.push(desk))
    expect(called).toHaveLength(499)
  })
})

describe('subscribers inside the node', () => {
  it('receive their types until they unsubscribe, and one that throws does not affect the others', async () => {
    const refs: (number | null)[] = []
    const endBroken = server.hub.onEvent('device.outbox', () => {
      throw new Error('a broken subscriber')
    })
    const end = server.hub.onEvent('device.outbox', ({ ref }) => refs.push(ref))
    await server.commit({ type: 'device.outbox', ref: 41 }, { type: 'rule.changed', ref: 42 })
    await expect.poll(() => refs).toEqual([41])
    end()
    endBroken()
    const page = await server.page('all')
    await server.commit({ type: 'device.outbox', ref: 43 })
    await ring(page)
    expect(refs).toEqual([41])
    page.ws.close()
  })
})

describe('a database outage', () => {
  it('stops the heartbeats, then tells everybody to read again, and loses nothing', async () => {
    const link = await createBreakableLink(database.app)
    const cut = await startLiveServer(database, { hubConnection: link.connection, limits: { beatMs: 20 } })
    cut.bearers.set('first', live(inFirst))
    const page = await cut.page('first')
    await page.until(({ type }) => type === 'beat')
    const backs: number[] = []
    const refs: (number | null)[] = []
    cut.hub.onReconnect(() => backs.push(cut.hub.lastSeq()))
    cut.hub.onEvent('alarm.changed', ({ ref }) => refs.push(ref))
    link.cut()
    await expect.poll(cut.hub.isCurrent).toBe(false)
    // Events on their way arrive before the answer to this.
    page.say('ping')
    await expect.poll(() => page.texts).toContain('pong')
    const before = page.frames.length
    await cut.commit({ type: 'alarm.changed', ref: 51, schoolId: 11 }, { type: 'alarm.changed', ref: 52, schoolId: 12 })
    await expect.poll(async () => (await cut.pool.query('select from event where seq is null')).rowCount).toBe(0)
    expect(page.frames.length).toBe(before)
    link.mend()
    const resync = await page.until(({ type }) => type === 'resync')
    expect(resync).toEqual({ type: 'resync', seq: cut.hub.lastSeq() })
    await expect.poll(() => refs).toEqual([51, 52])
    expect(backs).toHaveLength(1)
    const beats = page.frames.length
    await expect.poll(() => page.frames.slice(beats).map(({ type }) => type)).toContain('beat')
    await cut.stop()
    await link.close()
  })

  it('is noticed even when the connection is half-open (X07)', async () => {
    const link = await createBreakableLink(database.app)
    const half = await startLiveServer(database, { hubConnection: link.connection, limits: { beatMs: 20 } })
    half.bearers.set('first', live(inFirst))
    const page = await half.page('first')
    link.freeze()
    await expect.poll(half.hub.isCurrent).toBe(false)
    await half.commit({ type: 'alarm.changed', ref: 61, schoolId: 11 })
    link.mend()
    await page.until(({ type }) => type === 'resync')
    expect(half.hub.isCurrent()).toBe(true)
    await half.stop()
    await link.close()
  })

  it('restarts the numbers after a restore from an earlier time, and everybody reads again', async () => {
    const restored = await cloneDatabase()
    const link = await createBreakableLink(restored.app)
    const node = await startLiveServer(restored, { hubConnection: link.connection })
    node.bearers.set('first', live(inFirst))
    const page = await node.page('first')
    await node.commit({ type: 'dict.changed', ref: 71 }, { type: 'dict.changed', ref: 72 })
    await page.until((frame) => 'data' in frame && frame.data.ref === 72)
    link.cut()
    await node.pool.query('delete from event')
    await node.pool.query('update event_head set last_seq = 1')
    link.mend()
    expect(await page.until(({ type }) => type === 'resync')).toEqual({ type: 'resync', seq: 1 })
    await node.commit({ type: 'dict.changed', ref: 73 })
    expect(await page.until((frame) => 'data' in frame && frame.data.ref === 73)).toMatchObject({ id: 2 })
    await node.stop()
    await link.close()
    await restored.drop()
  })
})
