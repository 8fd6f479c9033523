import { codes } from '@tocsin/contract/codes'
import type { TalkMessage } from '@tocsin/contract/demo/talk'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { errorFields } from '../../../test/admin-server.ts'
import { type DemoServer, startDemoServer } from '../../../test/demo-server.ts'

let demo: DemoServer
let one: { token: string; userId: number }
let two: { token: string; userId: number }
let mute: { token: string; userId: number }
beforeAll(async () => {
  demo = await startDemoServer()
  one = await demo.clerk('demo:talk:query', 'demo:talk:send')
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
const send = (who: { token: string }, body: object) => demo.call('POST', '/demo/talk/send', body, who.token)
const people = async ({ token }: { token: string }) =>
  ((await demo.call('GET', '/demo/talk/people', undefined, token)).data as unknown as { userId: number }[]).map(
    ({ userId }) => userId,
  )
const texts = async ({ token }: { token: string }) =>
  ((await demo.call('GET', '/demo/talk/list', undefined, token)).data as unknown as TalkMessage[]).map(
    ({ text }) => text,
  )

it('who is on the page is known to the others until he leaves or falls silent', async () => {
  await here(one)
  await here(two)
  expect(await people(one)).toEqual([two.userId])
  await gone(two)
  expect(await people(one)).toEqual([])
  await here(two)
  await demo.site.db
    .updateTable('demoSeat')
    .set({ seenAt: new Date(Date.now() - 31_000) })
    .where('userId', '=', two.userId)
    .execute()
  expect(await people(one)).toEqual([])
})

it('coming and going are told once', async () => {
  await here(one)
  await here(one)
  expect(await demo.events('demo.talk')).toEqual([{ ref: null, userId: null }])
  await gone(one)
  await gone(one)
  expect(await demo.events('demo.talk')).toHaveLength(2)
})

it('a message to everybody is read by everybody, one to a person by him and its sender', async () => {
  await here(two)
  const all = Number((await send(one, { text: '大家好' })).data)
  const own = Number((await send(one, { text: '只给你', toUserId: two.userId })).data)
  expect([await texts(one), await texts(two), await texts(mute)]).toEqual([
    ['大家好', '只给你'],
    ['大家好', '只给你'],
    ['大家好'],
  ])
  expect(await demo.events('demo.talk')).toEqual([
    { ref: null, userId: null },
    { ref: all, userId: null },
    { ref: own, userId: two.userId },
    { ref: own, userId: one.userId },
  ])
  expect(await demo.audited('demo_message', own)).toEqual(['demo:talk:send'])
})

it('nobody is reached who is not on the page, or out of sight', async () => {
  expect((await send(one, { text: 'x', toUserId: two.userId })).code).toBe(codes.demoAway.code)
  await demo.site.db.insertInto('demoSeat').values({ userId: demo.there.userId }).execute()
  expect(await people(one)).toEqual([])
  expect((await send(one, { text: 'x', toUserId: demo.there.userId })).code).toBe(codes.demoAway.code)
  expect((await send({ token: demo.adminToken }, { text: 'x', toUserId: demo.there.userId })).code).toBe(200)
})

it('bad messages and those without the permission are refused', async () => {
  expect(errorFields(await send(one, { text: '  ' }))).toEqual(['text'])
  expect(errorFields(await send(one, { text: 'x'.repeat(501) }))).toEqual(['text'])
  expect((await send(mute, { text: 'x' })).code).toBe(codes.forbidden.code)
})

it('old messages go', async () => {
  await demo.pool.query(
    `insert into demo_message (from_user_id, from_name, text) select $1, 'x', '旧' from generate_series(1, 1000)`,
    [one.userId],
  )
  await send(one, { text: '新' })
  const { n } = await demo.site.db
    .selectFrom('demoMessage')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  expect(n).toBe(1000)
  expect(await texts(one)).toHaveLength(100)
})
