import { fastify, type FastifyInstance } from 'fastify'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { CAP_SENDER } from '#areas/alarm/cap/cap-document'
import { webhookSignature } from '#areas/notify/channel/webhook'
import type { Caller } from '#http/route'
import { storeSettingValue } from '#settings/secret-setting'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { quietLog } from '../../../test/quiet-log.ts'
import { getSituation } from '#areas/police/situation/reads'
import { parseCapMessage } from '#areas/police/exchange/cap-message'
import { mountExchangeApi } from './exchange-api.ts'
import { formatSituationCap } from '#areas/police/exchange/situation-cap'
import { useTransactionHooks } from '../../../test/transaction-hooks.ts'

let world: AlarmFixture
let app: FastifyInstance
let command: Caller
const SECRET = 'a-shared-key'

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture()
  await seedSystem(world.db, 'Maple-river-42')
  const settingKey = randomBytes(32)
  await storeSettingValue(world.db, settingKey, 'exchange.in-secret', SECRET)
  app = fastify()
  await mountExchangeApi(app, { db: world.db, settingKey, log: quietLog })
  const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 't' }
  command = { actor: { ...world.zhang, depts: 'all', schools: 'all' }, origin }
})
afterAll(async () => {
  await app.close()
  await world.end()
})

type Sent = { url?: string; secret?: string; at?: number }
const send = async (body: string, { url = 'cap', secret = SECRET, at = Date.now() }: Sent = {}) => {
  const timestamp = String(Math.floor(at / 1000))
  const signature = `sha256=${webhookSignature(secret, timestamp, body)}`
  const headers = { 'x-tocsin-timestamp': timestamp, 'x-tocsin-signature': signature }
  const call = { method: 'POST' as const, url: `/exchange-api/v1/${url}`, headers, payload: Buffer.from(body) }
  const response = await app.inject(call)
  return { status: response.statusCode, body: response.json<Record<string, string>>() }
}
const sendJson = (message: object) => send(JSON.stringify(message), { url: 'messages' })

const info = (more = '') =>
  '<info><category>Fire</category><event>火灾</event><urgency>Immediate</urgency><severity>Severe</severity>' +
  `<certainty>Observed</certainty><description>三楼冒烟 &amp; 明火</description>${more}</info>`
const area = (code: string) =>
  '<area><areaDesc>教学楼 3 层</areaDesc><circle>30.5,114.4 0</circle><geocode><valueName>school</valueName>' +
  `<value>${code}</value></geocode></area>`
type Cap = Partial<Record<'identifier' | 'status' | 'msgType' | 'references' | 'note' | 'info', string>>
const cap = (given: Cap = {}) => {
  const { identifier = randomUUID(), status = 'Actual', msgType = 'Alert', note, references } = given
  const optional = [note && `<note>${note}</note>`, references && `<references>${references}</references>`]
  return `<?xml version="1.0"?><alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>${identifier}</identifier>
    <sender>cad.city</sender><sent>2026-11-26T10:29:39+08:00</sent><status>${status}</status>
    <msgType>${msgType}</msgType><scope>Public</scope>${optional.filter(Boolean).join('')}${given.info ?? info()}</alert>`
}
const referenceTo = (identifier: string) => `cad.city,${identifier},2026-11-26T10:29:39+08:00`
const read = async (no: string | undefined) => {
  const { id } = await world.all
    .selectFrom('policeSituation')
    .select('id')
    .where('no', '=', no ?? '')
    .executeTakeFirstOrThrow()
  return getSituation(world.db, command, id)
}
const json = (more: object) => ({
  identifier: randomUUID(),
  sender: 'cad.city',
  sent: '2026-11-26T10:29:39+08:00',
  mode: 'LIVE',
  ...more,
})

describe('a CAP message', () => {
  it('creates one incident of the school when it is received twice at once, and once more later', async () => {
    const school = await world.all
      .selectFrom('school')
      .select(['code', 'id'])
      .where('id', '=', world.first.id)
      .executeTakeFirstOrThrow()
    const alert = cap({ info: info(area(school.code)) })
    const both = await Promise.all([send(alert), send(alert)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 202])
    const repeat = await send(alert)
    expect(repeat).toMatchObject({ status: 200, body: { result: 'REPEATED', caseNo: both[0]?.body['caseNo'] } })
    expect(await read(repeat.body['caseNo'])).toMatchObject({
      source: 'EXTERNAL_CAD',
      state: 'RECEIVED',
      mode: 'LIVE',
      category: 'FIRE',
      grade: 2,
      schoolId: school.id,
      stationDeptId: world.station,
      place: '教学楼 3 层',
      lat: 30.5,
      summary: '三楼冒烟 & 明火',
      log: [{ verb: 'cadAlarm' }],
    })
  })

  it('updates and cancels the incident that it refers to, and is a note when people work on it', async () => {
    const identifier = randomUUID()
    const { body } = await send(cap({ identifier, status: 'Exercise' }))
    const references = referenceTo(identifier)
    const graver = info().replace('Severe', 'Extreme').replace('三楼', '四楼')
    const update = { status: 'Exercise', msgType: 'Update', references, info: graver }
    expect((await send(cap(update))).body['result']).toBe('UPDATED')
    expect(await read(body['caseNo'])).toMatchObject({ mode: 'DRILL', grade: 1, summary: '四楼冒烟 & 明火' })
    const wrongMode = await send(cap({ msgType: 'Update', references }))
    expect(wrongMode).toMatchObject({ status: 409, body: { field: 'status' } })
    const cancel = { status: 'Exercise', msgType: 'Cancel', references, note: '误报', info: '' }
    expect((await send(cap(cancel))).body).toMatchObject({ result: 'CANCELLED', state: 'CANCELLED' })
    expect((await send(cap(cancel))).body).toMatchObject({ result: 'NOTED', state: 'CANCELLED' })
    expect((await read(body['caseNo'])).reason).toBe('误报')
  })

  it('names the wrong element, and creates nothing', async () => {
    const count = async () =>
      (await world.all.selectFrom('exchangeMessage').select('id').where('sender', '=', 'cad.city').execute()).length
    const before = await count()
    const wrong: [string, string][] = [
      [cap().replace('<sent>2026-11-26T10:29:39+08:00</sent>', ''), 'sent'],
      [cap().replace('+08:00', 'Z'), 'sent'],
      [cap().replace('Actual', 'Real'), 'status'],
      [cap({ status: 'System' }), 'status'],
      [cap({ msgType: 'Update' }), 'references'],
      [cap({ info: '' }), 'info'],
      [cap().replace('<event>火灾</event>', ''), 'info.event'],
      [cap().replace('Severe', 'Bad'), 'info.severity'],
      [cap().replace('<scope>', '<colour>red</colour><scope>'), 'colour'],
      [cap().replace('<scope>Public</scope>', '<scope>Restricted</scope>'), 'restriction'],
      [cap({ info: info('<area><areaDesc>x</areaDesc><circle>95,1 0</circle></area>') }), 'info.area.circle'],
      [cap({ info: info(area('no-such-school')) }), 'info.area.geocode'],
      [cap().replace('<alert', '<!DOCTYPE a [<!ENTITY b "c">]><alert'), 'document'],
      [cap().replace('</alert>', ''), 'document'],
      [cap().replace('cap:1.2', 'cap:1.1'), 'alert'],
      [cap().replaceAll('cad.city', CAP_SENDER), 'sender'],
    ]
    for (const [body, field] of wrong) expect(await send(body), field).toMatchObject({ status: 400, body: { field } })
    const unknown = await send(cap({ msgType: 'Cancel', references: referenceTo('never-sent') }))
    expect(unknown).toMatchObject({ status: 404, body: { field: 'references' } })
    expect(await count()).toBe(before)
  })

  it('is rejected without a valid signature, and when its identifier was used for another content', async () => {
    const identifier = randomUUID()
    expect((await send(cap({ identifier }), { secret: 'other' })).status).toBe(401)
    expect((await send(cap({ identifier }), { at: Date.now() - 600_000 })).status).toBe(401)
    expect((await send(cap({ identifier }))).status).toBe(202)
    expect(await send(cap({ identifier, status: 'Test' }))).toMatchObject({
      status: 409,
      body: { field: 'identifier' },
    })
  })

  it('of this system is valid by the same schema', () => {
    const states = [1, 2].map((no) => ({ no, at: new Date('2026-11-26T02:29:39Z') }))
    const shown = { mode: 'TEST', state: 'IN_PROGRESS', category: 'FIRE', categoryLabel: '火灾', grade: 1 } as const
    const place = { schoolName: '东湖第一小学', place: '2 号楼 <301>', lng: 114.4, lat: 30.5 }
    const more = { recordNo: null, stationName: null, stationPhone: null, validation: 4, summary: '冒烟' }
    const receivedAt = new Date('2026-11-26T02:29:39Z')
    const message = parseCapMessage(
      formatSituationCap({ no: 'JQ20261126-0001', ...shown, ...place, ...more, states, receivedAt }),
    )
    expect(message).toMatchObject({ type: 'UPDATE', mode: 'TEST', category: 'FIRE', grade: 1, lng: 114.4, lat: 30.5 })
    expect(message.references).toEqual([{ sender: CAP_SENDER, identifier: 'JQ20261126-0001-1' }])
  })
})

describe('a JSON message', () => {
  it('creates an incident once, answers a query, and notes what the other system reports', async () => {
    const alarm = json({ type: 'ALARM', grade: 3, summary: '有人受伤', category: 'HELP', externalNo: 'CAD-7' })
    const created = await sendJson(alarm)
    expect(created).toMatchObject({ status: 202, body: { result: 'CREATED', state: 'RECEIVED' } })
    expect(await sendJson(alarm)).toMatchObject({ status: 200, body: { result: 'REPEATED' } })
    const caseNo = created.body['caseNo']
    expect((await sendJson(json({ type: 'QUERY', caseNo }))).body).toMatchObject({ result: 'ANSWERED', caseNo })
    expect((await sendJson(json({ type: 'DISPATCHED', caseNo, text: '二号车' }))).body['result']).toBe('NOTED')
    const { log, externalNo } = await read(caseNo)
    expect(externalNo).toBe('CAD-7')
    expect(log.map(({ verb, text }) => [verb, text])).toEqual([
      ['cadDispatched', 'cad.city 二号车'],
      ['cadAlarm', `cad.city ${alarm.identifier}`],
    ])
    const stranger = await sendJson({ ...json({ type: 'QUERY', caseNo }), sender: 'cad.other' })
    expect(stranger).toMatchObject({ status: 404, body: { field: 'caseNo' } })
  })

  it('names the wrong field', async () => {
    const alarm = { type: 'ALARM', grade: 3, summary: '有人受伤' }
    const wrong: [object, string][] = [
      [json({ ...alarm, grade: 7 }), 'grade'],
      [json({ ...alarm, summary: undefined }), 'summary'],
      [json({ ...alarm, colour: 'red' }), 'colour'],
      [json({ ...alarm, category: 'NONE' }), 'category'],
      [json({ ...alarm, schoolCode: 'NONE' }), 'schoolCode'],
      [{ ...json(alarm), sent: 'today' }, 'sent'],
      [json({ type: 'CLOSED', caseNo: 'JQ1' }), 'disposition'],
      [json({ type: 'UPDATE' }), 'references'],
    ]
    for (const [message, field] of wrong)
      expect(await sendJson(message), field).toMatchObject({ status: 400, body: { field } })
    expect(await send('{', { url: 'messages' })).toMatchObject({ status: 400, body: { field: 'body' } })
  })
})
