import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { receivedEvents, openLivePage, type LivePage } from '../../test/live-page.ts'
import { live, type LiveServer, makeActor, startLiveServer } from '../../test/live-server.ts'
import { createConcurrencyLimiter } from './replay.ts'

let database: TestDatabase
let server: LiveServer

beforeAll(async () => {
  database = await cloneDatabase()
  server = await startLiveServer(database)
  server.bearers.set('desk', live(makeActor({ userId: 1, schools: [11], depts: [101] })))
  server.bearers.set('all', live(makeActor({ userId: 2, schools: 'all', depts: 'all' })))
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

const idsOf = (page: LivePage) => page.frames.flatMap((frame) => ('data' in frame ? [frame.id] : []))

/** Commits many events of one school in one transaction. @returns the head of the hub afterwards. */
const flood = async (count: number, school = 11) => {
  const head = server.hub.lastSeq() + count
  await server.pool.query(
    `insert into event (type, ref, school_id) select 'device.status', n, $2 from generate_series(1, $1) n`,
    [count, school],
  )
  await expect.poll(server.hub.lastSeq, { interval: 20 }).toBe(head)
  return head
}

const leave = async (page: LivePage) => {
  page.ws.close()
  await page.ended
}

const resyncs = async (token: string, since: number) => {
  const page = await server.page(token, since)
  const resync = await page.until(({ type }) => type === 'resync')
  expect(resync).toEqual({ type: 'resync', seq: server.hub.lastSeq() })
  expect(idsOf(page)).toEqual([])
  await leave(page)
}

describe('a page that reconnects', () => {
  it('receives exactly the visible events it missed, in order, and then continues live', async () => {
    const page = await server.page('desk')
    await server.commit({ type: 'alarm.raised', ref: 1, schoolId: 11 })
    const last = await page.until((frame) => 'data' in frame && frame.data.ref === 1)
    await leave(page)
    await server.commit(
      { type: 'alarm.changed', ref: 2, schoolId: 11 },
      { type: 'alarm.changed', ref: 3, schoolId: 12 },
    )
    await server.commit({ type: 'notice.published', ref: 4, userId: 1 }, { type: 'dict.changed', ref: 5 })
    await server.commit({ type: 'rule.changed', ref: 6, deptId: 101 }, { type: 'rule.changed', ref: 7, deptId: 102 })
    await expect.poll(server.hub.lastSeq).toBe(7)
    const since = 'data' in last ? last.id : 0
    const back = await server.page('desk', since)
    expect(await back.until(({ type }) => type === 'ready')).toEqual({ type: 'ready', seq: since, locked: false })
    await server.commit({ type: 'alarm.changed', ref: 8, schoolId: 11 })
    await back.until((frame) => 'data' in frame && frame.data.ref === 8)
    expect(receivedEvents(back)).toEqual([2, 4, 5, 6, 8])
    expect(back.frames.find(({ type }) => type === 'alarm.changed')).toEqual({
      type: 'alarm.changed',
      id: since + 1,
      at: expect.any(Number),
      data: { ref: 2, schoolId: 11 },
    })
    const everything = await server.page('all', since)
    await expect.poll(() => receivedEvents(everything)).toEqual([2, 3, 5, 6, 7, 8])
    await Promise.all([leave(back), leave(everything)])
  })

  it('loses nothing while events arrive during the replay', async () => {
    const since = server.hub.lastSeq()
    await flood(4000)
    const page = await server.page('desk', since)
    const head = await flood(3000)
    await page.until((frame) => 'data' in frame && frame.id === head)
    expect(idsOf(page)).toEqual(Array.from({ length: head - since }, (_, i) => since + 1 + i))
    await leave(page)
  })

  it('resyncs after more than 10,000 missed events, and replays 10,000', async () => {
    const since = server.hub.lastSeq()
    const head = await flood(10_000)
    const page = await server.page('desk', since)
    await page.until((frame) => 'data' in frame && frame.id === head)
    expect(idsOf(page)).toHaveLength(10_000)
    expect(page.frames.some(({ type }) => type === 'resync')).toBe(false)
    await leave(page)
    await flood(2000, 12)
    const other = await server.page('desk', since)
    await other.until((frame) => 'data' in frame && frame.id === head)
    await leave(other)
    await flood(1)
    await resyncs('desk', since)
  })

  it('resyncs when the missed events are older than a day or deleted, or its number is in the future', async () => {
    const since = server.hub.lastSeq()
    await server.commit({ type: 'dict.changed', ref: 1 }, { type: 'dict.changed', ref: 2 })
    await expect.poll(server.hub.lastSeq).toBe(since + 2)
    await server.pool.query(`update event set at = now() - interval '24 hours 1 second' where seq = $1`, [since + 1])
    await resyncs('desk', since)
    await server.pool.query('delete from event where seq = $1', [since + 1])
    await resyncs('desk', since)
    await resyncs('desk', since + 1_000_000)
    await resyncs('all', 0)
    const page = await server.page('desk', since + 1)
    await page.until((frame) => 'data' in frame && frame.data.ref === 2)
    await leave(page)
  })
})

// The buffers of both ends hold some megabytes of events before anybody notices.
describe('a page that does not read', { timeout: 120_000 }, () => {
  it('is disconnected at a megabyte, and misses nothing when it reconnects (X20)', async () => {
    const since = server.hub.lastSeq()
    const page = await server.page('desk')
    const quick = await server.page('all')
    page.ws.pause()
    let slow = false
    const cut = () => (slow ||= server.clients().some(({ readyState }) => readyState !== page.ws.OPEN))
    const flooding = (async () => {
      while (!cut()) await flood(4000)
    })()
    await expect.poll(cut, { interval: 10, timeout: 90_000 }).toBe(true)
    page.ws.resume()
    expect(await page.ended).toBe(1013)
    await flooding
    const last = idsOf(page).at(-1) ?? since
    const head = server.hub.lastSeq()
    expect(last).toBeLessThan(head)
    await quick.until((frame) => 'data' in frame && frame.id === head)
    const back = await server.page('desk', last)
    await back.until((frame) => 'data' in frame && frame.id === head)
    const all = Array.from({ length: head - since }, (_, i) => since + 1 + i)
    expect([...idsOf(page), ...idsOf(back)]).toEqual(all)
    expect(idsOf(quick)).toEqual(all)
    await Promise.all([leave(back), leave(quick)])
  })
})

describe('database reads of a socket', () => {
  it('fail softly: the page is told to reconnect', async () => {
    const broken = await startLiveServer(database)
    broken.bearers.set('desk', live(makeActor({ userId: 1, schools: [11] })))
    const since = broken.hub.lastSeq() - 1
    const superuser = new pg.Client(database.superuser)
    await superuser.connect()
    await superuser.query('alter table event rename to hidden')
    const page = await openLivePage({ port: broken.port })
    page.say({ type: 'auth', token: 'desk', since })
    expect(await page.ended).toBe(1013)
    await superuser.query('alter table hidden rename to event')
    await superuser.end()
    await broken.stop()
  })

  it('run a few at a time', async () => {
    const gate = createConcurrencyLimiter(2)
    let running = 0
    let most = 0
    const steps = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
    const works = steps.map(({ promise }, n) =>
      gate(async () => {
        running += 1
        most = Math.max(most, running)
        await promise
        running -= 1
        if (n === 1) throw new Error('one failed')
        return n
      }),
    )
    for (const { resolve } of steps) resolve()
    const ended = await Promise.allSettled(works)
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(4).fill('fulfilled')])
    expect([most, running]).toEqual([2, 0])
  })
})
