import { ExchangeMessage } from '@tocsin/contract/police/exchange'
import { situationMachine } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import type { Caller } from '#http/route'
import { invalidateSettings } from '#settings/settings-cache'
import { storeSettingValue } from '#settings/secret-setting'
import { lead, type AlarmFixture, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { createSituation } from '../situation/create.ts'
import { getSituation } from '../situation/reads.ts'
import { cancelSituation, claimSituation } from '../situation/verbs.ts'
import { deleteOldExchangeMessages } from './delete-old-messages.ts'
import { sendDueMessages } from './exchange-sender.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

type Received = { headers: IncomingHttpHeaders; body: string }
const SECRET = 'key-of-the-other-system'
const received: Received[] = []
const state = { status: 200 }
let server: Server
let world: AlarmFixture
let desk: Caller
const settingKey = randomBytes(32)

const configure = async (key: 'exchange.out-url' | 'exchange.out-secret', value: string) => {
  const shown = await storeSettingValue(world.db, settingKey, key, value)
  await world.all.updateTable('config').set({ value: shown }).where('key', '=', key).execute()
  invalidateSettings()
}

useTransactionHooks()
beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body })
      response.writeHead(state.status).end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  world = await openAlarmFixture()
  await seedSystem(world.db, 'Maple-river-42')
  await configure('exchange.out-url', `http://127.0.0.1:${(server.address() as AddressInfo).port}/cad`)
  await configure('exchange.out-secret', SECRET)
  const sight = { deptId: world.station, depts: [world.station, world.first.deptId], schools: [world.first.id] }
  const police = Object.values(situationMachine).flatMap(({ permission }) => permission || [])
  const actor = await person(world.db, 'desk', sight, new Set([...lead, ...police, 'police:situation:query']))
  desk = { actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
})
afterAll(async () => {
  await new Promise((end) => server.close(end))
  await world.end()
})

const send = async () => {
  await sql`update exchange_message set due_at = now() where state = 'QUEUED'`.execute(world.db)
  return sendDueMessages({ db: world.db, settingKey, log: quietLog })
}
const sendAll = async () => {
  while ((await send()) > 0);
}
const messages = () => received.map(({ body }) => ExchangeMessage.parse(JSON.parse(body)))
const draft = { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '有人受伤', reporterName: '王某' } as const

describe('messages to the other dispatch system', () => {
  it('are signed, valid, in the order of the incident, each sent once by two nodes, and name the earlier ones', async () => {
    const id = await createSituation(world.db, { ...draft, schoolId: world.first.id }, desk)
    await cancelSituation(world.db, desk, { id, version: 1, reason: '重复报警' })
    await Promise.all([send(), send()])
    await sendAll()
    const { no } = await getSituation(world.db, desk, id)
    const [first, second, ...more] = messages()
    expect(more).toEqual([])
    expect(first).toMatchObject({ type: 'ALARM', sender: 'tocsin', mode: 'LIVE', caseNo: no, summary: '有人受伤' })
    expect(second).toMatchObject({ type: 'CANCEL_REQUEST', state: 'CANCELLED' })
    expect(second?.references).toEqual([{ sender: 'tocsin', identifier: first?.identifier }])
    for (const { headers, body } of received) {
      const signed = createHmac('sha256', SECRET).update(`${String(headers['x-tocsin-timestamp'])}.${body}`)
      expect(headers['x-tocsin-signature']).toBe(`sha256=${signed.digest('hex')}`)
      expect(body).not.toContain('王某')
    }
  })

  it('are sent again with the same body and key until they are taken, and later ones wait', async () => {
    received.length = 0
    state.status = 503
    const id = await createSituation(world.db, { ...draft, schoolId: world.first.id }, desk)
    await claimSituation(world.db, desk, { id, version: 1 }).catch(() => undefined)
    await cancelSituation(world.db, desk, {
      id,
      version: (await getSituation(world.db, desk, id)).version,
      reason: 'x',
    })
    await send()
    await send()
    state.status = 200
    await sendAll()
    const keys = received.map(({ headers }) => headers['idempotency-key'])
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]])
    expect(new Set(received.slice(0, 3).map(({ body }) => body)).size).toBe(1)
    expect(messages().map(({ type }) => type)).toEqual(['ALARM', 'ALARM', 'ALARM', 'CANCEL_REQUEST'])
  })

  it('are given up when the other system rejects them, without holding back later ones', async () => {
    received.length = 0
    state.status = 400
    const id = await createSituation(world.db, { ...draft, schoolId: world.first.id }, desk)
    await send()
    state.status = 200
    await cancelSituation(world.db, desk, { id, version: 1, reason: 'x' })
    await sendAll()
    expect(messages().map(({ type }) => type)).toEqual(['ALARM', 'CANCEL_REQUEST'])
    const rows = await world.db
      .selectFrom('exchangeMessage')
      .select(['state', 'answer'])
      .where('situationId', '=', id)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { state: 'FAILED', answer: 'HTTP 400' },
      { state: 'SENT', answer: 'HTTP 200' },
    ])
  })
})

describe('deleteOldExchangeMessages', () => {
  const create = async (isEnded: boolean) => {
    const id = await createSituation(world.db, { ...draft, schoolId: world.first.id }, desk)
    if (isEnded) await cancelSituation(world.db, desk, { id, version: 1, reason: 'x' })
    return id
  }
  const age = (days: number, ids: readonly number[]) =>
    sql`update exchange_message set created_at = now() - make_interval(days => ${days}) where situation_id = any(${ids})`.execute(
      world.db,
    )

  it('deletes all messages of an incident that ended, once the last one is as old as the setting', async () => {
    await sql`delete from exchange_message`.execute(world.db)
    const [old, open, young, mixed] = [await create(true), await create(false), await create(true), await create(true)]
    await sendAll()
    const waiting = await create(true)
    await age(181, [old, open, mixed, waiting])
    await age(179, [young])
    await sql`update exchange_message set created_at = now() where id = (
      select max(id) from exchange_message where situation_id = ${mixed})`.execute(world.db)
    await Promise.all([1, 2].map(() => deleteOldExchangeMessages(world.db, quietLog)))
    const left = await world.db.selectFrom('exchangeMessage').select('situationId').execute()
    const counts = [old, open, young, mixed, waiting].map((id) => left.filter((row) => row.situationId === id).length)
    expect(counts).toEqual([0, 1, 2, 2, 2])
    // A value that was written past the form.
    await world.all.updateTable('config').set({ value: '1' }).where('key', '=', 'exchange.message-days').execute()
    invalidateSettings()
    await deleteOldExchangeMessages(world.db, quietLog)
    expect(await world.db.selectFrom('exchangeMessage').select('id').execute()).toHaveLength(7)
  })
})
