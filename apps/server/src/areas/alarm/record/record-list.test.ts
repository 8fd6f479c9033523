import { unzipSync } from 'fflate'
import { buffer } from 'node:stream/consumers'
import type { RecordQuery } from '@tocsin/contract/alarm/record'
import { DESK_LIMIT, RecordDetail, warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { sql } from 'kysely'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { warnLogs } from '@tocsin/contract/alarm/log'
import { makePress, makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { unscoped } from '#db/scope'
import { recordDetail } from './detail.ts'
import { exportLog, exportRecords } from './export.ts'
import { recordDisplayed } from './lease.ts'
import { logPage } from './log-list.ts'
import { getDeskQueue, recordPage } from './record-list.ts'
import { recordRoutes } from './routes.ts'

let world: AlarmFixture
beforeAll(async () => {
  world = await openAlarmFixture()
})
afterAll(() => world.end())
// The log is append-only, so records cannot be deleted: each test uses its own code and time.
beforeEach(async () => {
  await world.all
    .updateTable('warnRecord')
    .set({ state: 'CLOSED', firstAt: new Date(0) })
    .execute()
})

const days = (n: number) => new Date(Date.now() - n * 86_400_000)
const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id, deviceId: world.buttonId, ...more })
const elsewhere = () => raised({ deptId: world.second.deptId, schoolId: world.second.id, deviceId: null })

describe('page', () => {
  it('shows the visible records of the last seven days, latest first', async () => {
    const [a, b] = [await raised({ firstAt: days(6) }), await raised({ firstAt: days(1) })]
    await raised({ firstAt: days(8) })
    await elsewhere()
    const page = await recordPage(world.db, world.zhang, {})
    expect(page).toMatchObject({ total: 2, list: [{ id: b.id, sn: 'BTN-0001' }, { id: a.id }] })
    expect(z.encode(warnRecords.page.data, page).list).toHaveLength(2)
    const second = await recordPage(world.db, world.zhang, { pageNo: 2, pageSize: 1 })
    expect(second).toMatchObject({ total: 2, list: [{ id: a.id }] })
  })

  it('filters by state, level, class, mode, school, device and time', async () => {
    const hit = await raised({ class: 'FIRE', level: 3, mode: 'DRILL', state: 'HANDLING', firstAt: days(30) })
    await raised({ firstAt: days(30), deviceId: null })
    await raised({ firstAt: days(60) })
    const window = { from: days(40), to: days(20) }
    const filters = [
      { state: ['HANDLING' as const] },
      { level: ['3' as const] },
      { class: ['FIRE' as const] },
      { mode: ['DRILL' as const] },
      { deviceId: world.buttonId },
    ]
    for (const filter of filters) {
      const { list } = await recordPage(world.db, world.zhang, { ...window, ...filter })
      expect(list.map(({ id }) => id)).toEqual([hit.id])
    }
    expect(await recordPage(world.db, world.zhang, { ...window, schoolId: world.second.id })).toMatchObject({
      total: 0,
    })
    expect(await recordPage(world.db, world.zhang, window)).toMatchObject({ total: 2 })
  })

  it('shows open records of any age without a period, and only the department and below it', async () => {
    const old = await raised({ firstAt: days(100), class: 'INTRUSION' })
    const continued = await raised({ firstAt: days(2), state: 'HANDLING', ownerId: 1, occurrenceCount: 0 })
    await raised({ firstAt: days(1), state: 'CLOSED' })
    const other = await elsewhere()
    const ids = async (query: RecordQuery) => (await recordPage(world.db, world.root, query)).list.map(({ id }) => id)
    expect(await ids({ open: true })).toEqual([other.id, continued.id, old.id])
    expect(await ids({ open: true, from: days(3) })).toEqual([other.id, continued.id])
    expect(await ids({ open: true, continued: false, deptId: world.first.deptId })).toEqual([old.id])
    expect(await ids({ open: true, continued: true, deptId: world.bureau })).toEqual([continued.id])
    expect(await ids({ open: false, deptId: world.second.deptId })).toEqual([])
    const file = await text((await exportRecords(world.db, world.root, { open: true })).stream)
    expect(file).toContain(old.no)
  })

  it('finds a keyword in number, place and serial number, with wildcards taken literally', async () => {
    const { id, no } = await raised({ placePath: '教学楼 / 3% _层', deviceId: null })
    const other = await raised({ placePath: '教学楼 / 三层' })
    const ids = async (keyword: string) =>
      (await recordPage(world.db, world.zhang, { keyword })).list.map((row) => row.id).toSorted((a, b) => a - b)
    expect(await ids('3% _')).toEqual([id])
    expect(await ids('%')).toEqual([id])
    expect(await ids(no.toLowerCase())).toEqual([id])
    expect(await ids('btn-')).toEqual([other.id])
    expect(await ids('教学楼')).toEqual([id, other.id])
    expect(await ids('\\')).toEqual([])
  })

  it('finds a keyword in the school and the displayed place, only among visible records', async () => {
    const at = { schoolName: '东湖实验中学', placePath: '教学楼 / 三层' }
    const mine = await raised(at)
    await raised({ schoolName: '西山小学', placePath: '教学楼' })
    await raised({ ...at, deptId: world.second.deptId, schoolId: world.second.id, deviceId: null })
    for (const keyword of ['东湖', '东湖实验中学 · 教学楼', '实验中学 · 教学楼 / 三层'])
      expect((await recordPage(world.db, world.zhang, { keyword })).list.map(({ id }) => id)).toEqual([mine.id])
  })

  it('rejects windows over 92 days and pages beyond the counted rows', async () => {
    const wide = await verbError(recordPage(world.db, world.zhang, { from: days(93) }))
    expect(wide).toMatchObject({ code: codes.timeWindow.code, params: { days: 92 } })
    const far = await verbError(recordPage(world.db, world.zhang, { pageNo: 501, pageSize: 200 }))
    expect(far?.message).toBe(codes.tooFar.zh)
  })
})

describe('desk', () => {
  it('orders by shelved, unclaimed, drill, level and threat to life, and puts the latest of a level first', async () => {
    const owner = { ownerId: world.zhang.userId }
    const open = (more: Partial<RecordDraft>) => raised({ class: 'INTRUSION', ...more })
    const shelved = await open({ level: 1, shelvedUntil: days(-1) })
    const handling = await open({ level: 1, state: 'HANDLING', ...owner })
    const late = await open({ level: 2, firstAt: days(1) })
    const early = await open({ level: 2, firstAt: days(2) })
    const drill = await open({ level: 1, mode: 'DRILL', firstAt: days(2) })
    const urgent = await open({ level: 1 })
    const grave = await open({ level: 1, validation: 4 })
    const back = await open({ level: 4, shelvedUntil: days(1) })
    await elsewhere()
    await raised({ state: 'CLOSED' })
    const desk = await getDeskQueue(world.db, world.zhang)
    const order = [grave, urgent, late, early, back, drill, handling, shelved]
    expect(desk.list.map(({ id }) => id)).toEqual(order.map(({ id }) => id))
    expect(desk.more).toBe(0)
    expect(desk.list[6]).toMatchObject({ ownerName: world.zhang.nickname })
    expect(z.encode(warnRecords.desk.data, desk).now).toEqual(expect.any(Number))
  })

  it('gives each row the limit that ends first, and none where none runs', async () => {
    const now = Date.now()
    const timer = (record: { id: number }, step: string, inSec: number, more: object = {}) =>
      world.db
        .insertInto('timer')
        .values({ kind: 'record', subjectId: record.id, step, epoch: 1, dueAt: new Date(now + inSec * 1000), ...more })
        .execute()
    const fired = { doneAt: new Date(), outcome: 'FIRED' as const }
    const unclaimed = await raised({ level: 2 })
    await timer(unclaimed, 'T5', 3600)
    await timer(unclaimed, 'T1', -40, fired)
    const claimed = await raised({ level: 2, state: 'CLAIMED', ownerId: world.zhang.userId })
    await timer(claimed, 'T1', -90, fired)
    await timer(claimed, 'T2', 20)
    await timer(claimed, 'T5', 3600)
    const acted = await raised({ level: 2, state: 'HANDLING', ownerId: world.zhang.userId })
    await timer(acted, 'T4', 60, { doneAt: new Date(), outcome: 'CANCELLED' })
    await timer(acted, 'T5', 900)
    const escalated = await raised({ level: 1, state: 'ESCALATED' })
    await timer(escalated, 'T1', -5, fired)
    const shelved = await raised({ level: 3, class: 'INTRUSION', shelvedUntil: days(-1) })
    await timer(shelved, 'T5', 900)
    const test = await raised({ mode: 'TEST', commissioning: true })
    await timer(test, 'T1', 5)
    const reopened = await raised({ epoch: 2, state: 'HANDLING', ownerId: world.zhang.userId })
    await timer(reopened, 'T5', 900)
    const desk = await getDeskQueue(world.db, world.zhang)
    const limits = new Map(desk.list.map(({ id, limit }) => [id, limit]))
    const at = (inSec: number) => new Date(now + inSec * 1000)
    expect(limits.get(unclaimed.id)).toEqual({ step: 'T1', dueAt: at(-40), seconds: 30 })
    expect(limits.get(claimed.id)).toEqual({ step: 'T2', dueAt: at(20), seconds: 60 })
    expect(limits.get(acted.id)).toEqual({ step: 'T5', dueAt: at(900), seconds: 3600 })
    expect(limits.get(escalated.id)).toEqual({ step: 'T1', dueAt: at(-5), seconds: 10 })
    for (const { id } of [shelved, test, reopened]) expect(limits.get(id)).toBeNull()
    await world.db.deleteFrom('timer').where('epoch', '=', 1).where('kind', '=', 'record').execute()
  })

  it("names people outside the caller's visibility", async () => {
    await raised({ state: 'HANDLING', ownerId: world.stranger.userId })
    const { list } = await getDeskQueue(world.db, world.zhang)
    expect(list[0]).toMatchObject({ ownerName: world.stranger.nickname })
  })

  it('reports the delay of reminders and escalations from half a minute on', async () => {
    const { id } = await raised()
    const due = (seconds: number) =>
      world.db
        .insertInto('timer')
        .values({
          kind: 'record',
          subjectId: id,
          step: 'T1',
          epoch: 1,
          dueAt: sql`now() - make_interval(secs => ${seconds})`,
        })
        .onConflict((oc) =>
          oc.columns(['kind', 'subjectId', 'step', 'epoch']).doUpdateSet((eb) => ({ dueAt: eb.ref('excluded.dueAt') })),
        )
        .execute()
    const late = async () => (await getDeskQueue(world.db, world.zhang)).lateSec
    expect(await late()).toBe(null)
    await due(5)
    expect(await late()).toBe(null)
    await due(95)
    expect(await late()).toBeGreaterThanOrEqual(95)
    await world.all.updateTable('warnRecord').set({ state: 'CLOSED' }).execute()
    expect(await late()).toBeGreaterThanOrEqual(95)
    await world.db.deleteFrom('timer').where('subjectId', '=', id).execute()
  })

  it('counts the records it omits', async () => {
    const made = Array.from({ length: DESK_LIMIT + 3 }, () => raised({ level: 4, deviceId: null }))
    await Promise.all(made)
    const urgent = await raised({ level: 1 })
    const { list, more, moreDue } = await getDeskQueue(world.db, world.zhang)
    expect([list.length, more, moreDue, list[0]?.id]).toEqual([DESK_LIMIT, 4, 4, urgent.id])
  })

  it('includes the records the caller owns when many others wait', async () => {
    const handled = { state: 'HANDLING', level: 4 } as const
    const own = await raised({ ...handled, ownerId: world.zhang.userId })
    await raised({ ...handled, ownerId: world.li.userId })
    const made = Array.from({ length: DESK_LIMIT + 3 }, () => raised({ level: 1, deviceId: null }))
    await Promise.all(made)
    const { list, more, moreDue } = await getDeskQueue(world.db, world.zhang)
    expect([list.length, more, moreDue, list.at(-1)?.id]).toEqual([DESK_LIMIT, 5, 4, own.id])
  })
})

describe('get', () => {
  it('shows the details of a signal, and undecodable bytes as text or as hexadecimal pairs', async () => {
    const record = await raised()
    const said = async (set: { body: object; zone?: string; raw?: Buffer }) => {
      const eventId = await makePress(world.db, record, world.buttonId)
      await unscoped(world.db, 'test').updateTable('signal').set(set).where('eventId', '=', eventId).execute()
    }
    const counted = { v: 1, eventId: 'e', boot: 3, seq: 9, ts: 1, upMs: 1, mode: 'LIVE', kind: 'FAULT' }
    await said({ body: { ...counted, fault: 'SIREN', bat: 80 }, zone: 'hall' })
    await said({ body: { keyword: { id: 'help', conf: 0.9, pack: 'p1' }, press: { count: 2 }, media: [{ a: 1 }] } })
    const torn = Buffer.concat([Buffer.from('{"panic": 1, "room": "'), Buffer.from([0xff])])
    await said({ body: { channel: 'alarm', reason: 'BAD_UTF8' }, raw: torn })
    await said({ body: { channel: 'sub', reason: 'UNKNOWN_CHILD' }, raw: Buffer.from([0xa1, 0x61, 0x76, 0xf7, 0]) })
    const { occurrences } = await recordDetail(world.db, world.zhang, record.id)
    expect(occurrences.map((occurrence) => [occurrence.zone, occurrence.said, occurrence.raw])).toEqual([
      [null, { channel: 'sub', reason: 'UNKNOWN_CHILD' }, 'a1 61 76 f7 00'],
      [null, { channel: 'alarm', reason: 'BAD_UTF8' }, '{"panic": 1, "room": "\ufffd'],
      [null, { 'keyword.id': 'help', 'keyword.conf': 0.9 }, null],
      ['hall', { fault: 'SIREN', bat: 80 }, null],
    ])
  })

  it('returns record, presses, log, displays and merged records', async () => {
    const record = await raised()
    const eventId = await makePress(world.db, record, world.buttonId)
    await recordDisplayed(world.db, world.zhang, { shown: [record.id], sounded: [] })
    const child = await raised()
    await calls.merge(world.db, world.zhang, { ...child, intoId: record.id })
    const detail = await recordDetail(world.db, world.zhang, record.id)
    expect(detail).toMatchObject({
      record: { id: record.id },
      occurrences: [{ eventId }],
      occurrencesCut: false,
      log: [{ verb: 'raise' }, { verb: 'merged' }],
      sightings: [{ userName: world.zhang.nickname, soundedAt: null }],
      merged: [{ id: child.id, no: child.no }],
    })
    expect(() => z.encode(RecordDetail, detail)).not.toThrow()
    for (const id of [record.id, 999_999_999]) {
      const refusal = await verbError(recordDetail(world.db, world.stranger, id))
      expect(refusal).toMatchObject({ code: codes.notFound.code, message: '警情不存在' })
    }
  })
})

describe('log', () => {
  it('is listed with record and hash, by filter and visibility', async () => {
    const record = await raised({ schoolName: 'First' })
    await calls.claim(world.db, world.zhang, record)
    const page = await logPage(world.db, world.li, { keyword: record.no })
    expect(page).toMatchObject({ total: 2, list: [{ verb: 'claim', recordNo: record.no, schoolName: 'First' }, {}] })
    expect(z.encode(warnLogs.page.data, page).list[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
    const kinds = (['TRANSITION', 'SIGNAL'] as const).map(async (kind) => {
      const { total } = await logPage(world.db, world.li, { recordId: record.id, kind: [kind] })
      return total
    })
    expect(await Promise.all(kinds)).toEqual([2, 0])
    expect((await logPage(world.db, world.li, { recordId: record.id, keyword: 'ZHANG' })).total).toBe(1)
    expect((await logPage(world.db, world.stranger, { recordId: record.id })).total).toBe(0)
  })

  it('shows the account of an actor and finds entries by it', async () => {
    const record = await raised({ schoolName: 'First' })
    const actor = { ...world.zhang, nickname: '所长' }
    await calls.claim(world.db, actor, record)
    const found = async (keyword: string) =>
      (await logPage(world.db, world.li, { recordId: record.id, keyword })).list.map(({ verb }) => verb)
    expect([await found(world.zhang.username), await found('所长'), await found('nobody')]).toEqual([
      ['claim'],
      ['claim'],
      [],
    ])
    const { log } = await recordDetail(world.db, world.li, record.id)
    expect(log.at(-1)).toMatchObject({ actorName: '所长', actorAccount: world.zhang.username })
  })
})

const lines = async (file: { stream: Parameters<typeof text>[0] }) => (await text(file.stream)).split('\r\n')

describe('export', () => {
  it('writes every visible match over several batches, with Chinese headings and no formulas', async () => {
    const at = days(3)
    // All of the same instant: the batches continue by id.
    const made = await Promise.all(Array.from({ length: 1203 }, () => raised({ firstAt: at, placePath: '=1+1' })))
    await elsewhere()
    const [titles, ...rows] = await lines(await exportRecords(world.db, world.zhang, {}))
    expect(titles).toMatch(/^\uFEFF"警情编号","类别","代码","级别"/)
    expect(rows.at(-1)).toBe('')
    expect(new Set(rows.slice(0, -1).map((row) => row.slice(1, row.indexOf('"', 1))))).toEqual(
      new Set(made.map(({ no }) => no)),
    )
    expect(rows[0]).toContain(`,"'=1+1",`)
    const [logTitles, ...entries] = await lines(await exportLog(world.db, world.zhang, { from: days(1) }))
    expect(logTitles).toBe(
      '\uFEFF"警情编号","序号","时间","类型","动作","操作人","账号","原状态","新状态","学校","内容","校验值"',
    )
    expect(entries.length).toBeGreaterThan(1203)
    const hidden = await lines(await exportRecords(world.db, world.stranger, {}))
    expect(hidden).toHaveLength(3)

    const workbook = await exportRecords(world.db, world.zhang, { format: 'xlsx' })
    expect(workbook.name).toBe('警情记录.xlsx')
    const cells = String(Buffer.from(unzipSync(await buffer(workbook.stream))['xl/worksheets/sheet1.xml'] ?? []))
    expect(cells).toContain('警情编号')
    for (const { no } of made.slice(0, 50)) expect(cells).toContain(no)
    await expect(exportLog(world.db, world.zhang, { from: days(100), format: 'xlsx' })).rejects.toThrow()
  })

  it('writes words instead of codes, in the requested language', async () => {
    const at = days(1)
    const made = await raised({
      firstAt: at,
      schoolId: world.first.id,
      state: 'RESOLVED',
      disposition: 'FALSE_ACCIDENTAL',
      sampled: true,
    })
    const { no } = made
    const own = (file: string[]) => file.find((line) => line.includes(no))
    const zh = await lines(await exportRecords(world.db, world.zhang, { keyword: no }))
    expect(own(zh)).toContain('"紧急报警","紧急报警","一级",,"真实","待审核","按钮未复位"')
    expect(own(zh)).toContain('"误触"')
    const cell = (file: string[], title: string) =>
      own(file)?.split(',')[(file[0] ?? '').replace('\uFEFF', '').split(',').indexOf(title)]
    expect(cell(zh, '"质量抽查"')).toBe('是')
    const en = await lines(await exportRecords(world.db, world.zhang, { keyword: no, lang: 'en' }))
    expect(en[0]).toMatch(/^\uFEFF"Alarm no\.","Class","Code","Level"/)
    expect(own(en)).toContain('"Panic","Panic","Level 1",,"Live","For review","Button not reset"')
    expect(cell(en, '"Quality check"')).toBe('"Yes"')
    await calls.note(world.db, world.zhang, made)
    const log = await lines(await exportLog(world.db, world.zhang, { recordId: made.id, lang: 'en' }))
    expect(own(log)).toContain('"Note","Note","zhang 先生","zhang","For review","For review",')
    expect(own(log.toReversed())).toMatch(/"Transition","Raised","System"/)
    expect(log.join()).toContain('"Note: called the gate"')
    expect(log.join()).not.toMatch(/RESOLVED|\{/)
  })

  it('is audited with its filter before it is sent, and not when it is rejected', async () => {
    const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 'taken' }
    const routes = recordRoutes({ db: world.db })
    const call = (endpoint: Endpoint, query: object) =>
      routes
        .find((route) => route.endpoint === endpoint)
        ?.handle({
          query,
          actor: world.zhang,
          caller: { actor: world.zhang, origin },
        } as never)
    await call(warnRecords.export, { schoolId: world.first.id })
    await call(warnLogs.export, {})
    await expect(call(warnLogs.export, { from: days(100) })).rejects.toThrow()
    const kept = await world.all
      .selectFrom('auditLog')
      .selectAll()
      .where('traceId', '=', 'taken')
      .orderBy('id')
      .execute()
    expect(kept.map(({ action, userId }) => [action, userId])).toEqual([
      ['warn:record:export', world.zhang.userId],
      ['warn:log:export', world.zhang.userId],
    ])
    expect(kept[0]?.after).toEqual({ call: warnRecords.export.path, filter: { schoolId: world.first.id } })
  })

  it('rejects a window over 92 days before it sends anything', async () => {
    const refusal = await verbError(exportRecords(world.db, world.zhang, { from: days(100) }))
    expect(refusal?.code).toBe(codes.timeWindow.code)
  })
})
