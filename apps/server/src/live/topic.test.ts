import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { receivedEvents, type LivePage } from '../../test/live-page.ts'
import { live, type LiveServer, makeActor, startLiveServer } from '../../test/live-server.ts'

let database: TestDatabase
let server: LiveServer
beforeAll(async () => {
  database = await cloneDatabase()
  server = await startLiveServer(database)
  const permissions = new Set(['demo:talk:query'])
  server.bearers.set('tester', live(makeActor({ userId: 1, permissions })))
  server.bearers.set('other', live(makeActor({ userId: 2, permissions })))
  server.bearers.set('guard', live(makeActor({ userId: 3, schools: [11] })))
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

const follow = async (page: LivePage, on = true) => {
  page.say({ type: 'topic', name: 'demo', follow: on })
  // Everything sent before a ping was received before its answer.
  const before = page.texts.length
  page.say('ping')
  await expect.poll(() => page.texts.slice(before)).toContain('pong')
}
/** An ordinary event after all others: a page that has not received an earlier one by then never will. */
let marks = 1000
const settled = async (...pages: LivePage[]) => {
  marks += 1
  await server.commit({ type: 'dict.changed', ref: marks })
  for (const page of pages) await page.until((frame) => 'data' in frame && frame.data.ref === marks)
  return pages.map((page) => receivedEvents(page).filter((ref) => (ref ?? 0) < 1000))
}

it('a broadcast reaches neither a desk nor a permitted user who does not follow the topic', async () => {
  const pages = [await server.page('tester'), await server.page('other'), await server.page('guard')]
  const [tester, desk, guard] = pages as [LivePage, LivePage, LivePage]
  await follow(tester)
  await server.commit({ type: 'demo.talk', ref: 1 })
  expect(await settled(tester, desk, guard)).toEqual([[1], [], []])
  for (const { ws } of pages) ws.close()
})

it('following without the permission receives nothing', async () => {
  const guard = await server.page('guard')
  await follow(guard)
  await server.commit({ type: 'demo.talk', ref: 2 }, { type: 'demo.talk', ref: 3, userId: 3 })
  expect(await settled(guard)).toEqual([[]])
  guard.ws.close()
})

it('a personal event reaches the following sockets of that user until they stop', async () => {
  const [first, second, other] = [await server.page('tester'), await server.page('tester'), await server.page('other')]
  await follow(first)
  await follow(other)
  await server.commit({ type: 'demo.talk', ref: 4, userId: 1 })
  expect(await settled(first, second, other)).toEqual([[4], [], []])
  await follow(first, false)
  await server.commit({ type: 'demo.talk', ref: 5, userId: 1 })
  expect(await settled(first)).toEqual([[4]])
  for (const { ws } of [first, second, other]) ws.close()
})

it('missed topic events are not replayed, and do not delay the others', async () => {
  const since = server.hub.lastSeq()
  await server.commit({ type: 'demo.talk', ref: 6 }, { type: 'dict.changed', ref: 7 })
  await expect.poll(() => server.hub.lastSeq()).toBe(since + 2)
  const page = await server.page('guard', since)
  expect(await settled(page)).toEqual([[7]])
  page.ws.close()
})

it("events that a user's calls would be denied are not sent, live or later", async () => {
  const since = server.hub.lastSeq()
  server.bearers.set(
    'clerk',
    live(makeActor({ userId: 4, schools: [11], permissions: new Set(['system:user:query']) })),
  )
  server.bearers.set(
    'reader',
    live(makeActor({ userId: 5, schools: [11], permissions: new Set(['warn:record:query']) })),
  )
  const pages = [await server.page('clerk'), await server.page('reader')]
  await server.commit({ type: 'alarm.raised', ref: 8, schoolId: 11 }, { type: 'device.status', ref: 9, schoolId: 11 })
  expect(await settled(...pages)).toEqual([[], [8]])
  const late = await server.page('clerk', since)
  expect(await settled(late)).toEqual([[]])
  for (const { ws } of [...pages, late]) ws.close()
})

it('an unknown topic closes the socket', async () => {
  const page = await server.page('tester')
  page.say('{"type":"topic","name":"alarms","follow":true}')
  expect(await page.ended).toBe(4400)
})
