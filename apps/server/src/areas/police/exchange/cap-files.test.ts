import { codes } from '@tocsin/contract/codes'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { exportRecordCap } from '#areas/alarm/cap/record-cap'
import { appendLog } from '#areas/alarm/record-log'
import type { Caller } from '#http/route'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { verbError } from '../../../../test/alarm-verbs.ts'
import { createSituation } from '../situation/create.ts'
import { appendSituationLog } from '../situation/situation-log.ts'
import { exportCap } from './cap-export.ts'

let fixture: AlarmFixture
const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 't' }
let command: Caller

beforeAll(async () => {
  fixture = await openAlarmFixture()
  await seedSystem(fixture.db, 'Maple-river-42')
  command = { actor: { ...fixture.zhang, depts: 'all', schools: 'all' }, origin }
})
afterAll(() => fixture.end())

const identifierOf = (xml: string) => /<identifier>(.*)<\/identifier>/.exec(xml)?.[1]
const referencesOf = (xml: string) => [...xml.matchAll(/tocsin,([^,]+),/g)].map(([, identifier]) => identifier)

describe('a CAP message', () => {
  it('of an alarm is unique for each entry of its log, names the earlier ones, and is hidden out of scope', async () => {
    const record = await makeRecord(fixture.db, { deptId: fixture.first.deptId, schoolId: fixture.first.id, level: 2 })
    const note = { kind: 'NOTE' as const, verb: 'note', actor: 'system' as const, payload: {} }
    await appendLog(fixture.all, record.id, note)
    const read = async () =>
      text((await exportRecordCap(fixture.db, { actor: fixture.zhang, origin }, record.id)).stream)
    const first = await read()
    expect(await read()).toBe(first)
    await appendLog(fixture.all, record.id, note)
    const second = await read()
    expect(identifierOf(first)?.startsWith(`${record.no}-`)).toBe(true)
    expect(referencesOf(second)).toContain(identifierOf(first))
    expect(referencesOf(second)).not.toContain(identifierOf(second))
    const hidden = await verbError(exportRecordCap(fixture.db, { actor: fixture.stranger, origin }, record.id))
    expect(hidden?.of).toBe(codes.notFound)
  })

  it('of an incident changes its identifier with a step of a unit, which does not count as a version', async () => {
    const draft = { source: 'MANUAL', category: 'HELP', grade: 2, summary: '有人受伤' } as const
    const id = await createSituation(fixture.db, { ...draft, schoolId: fixture.first.id }, command)
    const read = async () => text((await exportCap(fixture.db, command, id)).stream)
    const first = await read()
    expect(first).toContain('<msgType>Alert</msgType>')
    await appendSituationLog(fixture.db, { id }, { verb: 'ON_SCENE', actor: null, unitName: '一号车' })
    const second = await read()
    expect(second).toContain('<msgType>Update</msgType>')
    expect(referencesOf(second)).toEqual([identifierOf(first)])
    expect(identifierOf(second)).not.toBe(identifierOf(first))
  })
})
