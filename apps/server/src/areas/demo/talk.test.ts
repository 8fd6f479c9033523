import { codes } from '@tocsin/contract/codes'
import type { TalkMessage } from '@tocsin/contract/demo/talk'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { errorFields } from '../../../test/admin-server.ts'
import { type DemoServer, startDemoServer } from '../../../test/demo-server.ts'

let demo: DemoServer
let value: { token: string; userId: number }
let two: { token: string; userId: number }
let mute: { token: string; userId: number }
beforeAll(async () => {
  demo = await startDemoServer()
  value = await demo.clerk('demo:talk:query', 'demo:talk:send')
  two = await demo.clerk('demo:talk:query', 'demo:talk:send')
  mute = await demo.clerk('demo:talk:query')
})
afterAll(() => demo.close())
beforeEach(async () => {
  await demo.site.db.deleteFrom('demoSeat').execute()
  await demo.site.db.deleteFrom('demoMessage').execute()
  await demo.site.db.deleteFrom('event').execute()
})

const here = ({ token }: { token: string }) => demo.call('POST', '/demo/talk/here', undefined, token)
const gone = ({ token }: { token: string }) => demo.call('POST', '/demo/talk/gone', undefined, token)
const send = (user: { token: string }, body: object) => demo.call('POST', '/demo/talk/send', body, user.token)
const people = async ({ token }: { token: string }) =>
  ((await demo.call('GET', '/demo/talk/people', undefined, token)).data as unknown as { userId: number }[]).map(
    ({ userId }) => userId,
  )
const texts = async ({ token }: { token: string }) =>
  ((await demo.call('GET', '/demo/talk/list', undefined, token)).data as unknown as TalkMessage[]).map(
    ({ text }) => text,
  )

it('shows users on the page to each other until they leave or stop reporting', async () => {
  await here(value)
  await here(two)
  expect(await people(value)).toEqual([two.userId])
  await gone(two)
  expect(await people(value)).toEqual([])
  await here(two)
  await demo.site.db
    .updateTable('demoSeat')
    .set({ seenAt: new Date(Date.now() - 31_000) })
    .where('userId', '=', two.userId)
    .execute()
  expect(await people(value)).toEqual([])
})

it('announces joining and leaving once', async () => {
  await here(value)
  await here(value)
  expect(await demo.events('demo.talk')).toEqual([{ ref: null, userId: null }])
  await gone(value)
  await gone(value)
  expect(await demo.events('demo.talk')).toHaveLength(2)
})

it('shows a message to all to everybody, and a private one to its receiver and sender', async () => {
  await here(two)
  const all = Number((await send(value, { text: '大家好' })).data)
  const own = Number((await send(value, { text: '只给你', toUserId: two.userId })).data)
  expect([await texts(value), await texts(two), await texts(mute)]).toEqual([
    ['大家好', '只给你'],
    ['大家好', '只给你'],
    ['大家好'],
  ])
  expect(await demo.events('demo.talk')).toEqual([
    { ref: null, userId: null },
    { ref: all, userId: null },
    { ref: own, userId: two.userId },
    { ref: own, userId: value.userId },
  ])
  expect(await demo.audited('demo_message', own)).toEqual(['demo:talk:send'])
})

it('delivers no message to users who left the page or are invisible', async () => {
  expect((await send(value, { text: 'x', toUserId: two.userId })).code).toBe(codes.demoAway.code)
  await demo.site.db.insertInto('demoSeat').values({ userId: demo.there.userId }).execute()
  expect(await people(value)).toEqual([])
  expect((await send(value, { text: 'x', toUserId: demo.there.userId })).code).toBe(codes.demoAway.code)
  expect((await send({ token: demo.adminToken }, { text: 'x', toUserId: demo.there.userId })).code).toBe(200)
})

it('rejects invalid messages and messages without the permission', async () => {
  expect(errorFields(await send(value, { text: '  ' }))).toEqual(['text'])
  expect(errorFields(await send(value, { text: 'x'.repeat(501) }))).toEqual(['text'])
  expect((await send(mute, { text: 'x' })).code).toBe(codes.forbidden.code)
})

it('deletes old messages', async () => {
  await demo.pool.query(
    `insert into demo_message (from_user_id, from_name, text) select $1, 'x', '旧' from generate_series(1, 1000)`,
    [value.userId],
  )
  await send(value, { text: '新' })
  const { n } = await demo.site.db
    .selectFrom('demoMessage')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  expect(n).toBe(1000)
  expect(await texts(value)).toHaveLength(100)
})
