import { warnRecords } from '@tocsin/contract/alarm/records'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import { maskPhone } from '@tocsin/contract/access/user-contact'
import { schools } from '@tocsin/contract/school/school'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { recordRoutes } from '#areas/alarm/record/routes'
import { schoolRoutes } from './school.ts'
import type { Actor } from '#http/route'

const PHONES = ['13912345678', '027-5550111', '110']
const MASKED = ['139****5678', '027****0111', '****10']
const contacts = PHONES.map((phone, at) => ({ role: 'OTHER' as const, name: `联系人${at}`, phone }))

let fixture: AlarmFixture
let recordId: number
beforeAll(async () => {
  fixture = await openAlarmFixture()
  await fixture.all
    .updateTable('school')
    .set({ emergencyContacts: JSON.stringify(contacts) as never, dutyPhone: '027-5550101' })
    .where('id', '=', fixture.first.id)
    .execute()
  recordId = (await makeRecord(fixture.db, { deptId: fixture.first.deptId, schoolId: fixture.first.id })).id
})
afterAll(() => fixture.end())

const revealing = (actor: Actor): Actor => ({
  ...actor,
  permissions: new Set([...actor.permissions, REVEAL_CONTACTS_PERMISSION]),
})

/** The response encoded by the contract. */
const call = async (endpoint: Endpoint, actor: Actor, query: object) => {
  const routes = [...schoolRoutes({ db: fixture.db }), ...recordRoutes({ db: fixture.db })]
  const found = routes.find((route) => route.endpoint === endpoint)
  const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 'test' }
  const answer = await found?.handle({ actor, origin, caller: { actor, origin }, query } as never)
  return z.encode(endpoint.data, answer as never) as Record<string, unknown>
}
const get = (actor: Actor) => call(schools.get, actor, { id: fixture.first.id })
const atDesk = (actor: Actor) => call(warnRecords.contacts, actor, { id: recordId })
const readings = async () => {
  const all = fixture.all.selectFrom('auditLog').select(['userId', 'subjectId', 'after'])
  return all.where('action', '=', REVEAL_CONTACTS_PERMISSION).where('subject', '=', 'school').orderBy('id').execute()
}

describe('numbers of contacts', () => {
  it('are masked in the detail and at the desk without the permission, and not audited then', async () => {
    const before = await readings()
    expect((await get(fixture.reader))['emergencyContacts']).toMatchObject(MASKED.map((phone) => ({ phone })))
    expect(await atDesk(fixture.reader)).toMatchObject({
      dutyPhone: '027-5550101',
      contacts: MASKED.map((phone, at) => ({ name: `联系人${at}`, phone })),
    })
    expect(await readings()).toEqual(before)
  })

  it('are unmasked with it, and each read is audited before the response', async () => {
    const before = await readings()
    const wang = revealing(fixture.wang)
    expect((await get(wang))['emergencyContacts']).toEqual(contacts)
    expect((await atDesk(wang))['contacts']).toEqual(contacts)
    expect((await readings()).slice(before.length)).toMatchObject([
      { userId: wang.userId, subjectId: fixture.first.id, after: { call: '/school/school/get' } },
      {
        userId: wang.userId,
        subjectId: fixture.first.id,
        after: { call: '/warn/record/contacts', filter: { id: recordId } },
      },
    ])
  })

  it('are in no list, with or without the permission', async () => {
    for (const actor of [fixture.reader, revealing(fixture.wang)]) {
      const text = JSON.stringify(await call(schools.page, actor, {}))
      expect(text).toContain('"First"')
      expect(text).not.toContain('联系人')
    }
  })

  it('are hidden from users who see neither the school nor the record', async () => {
    const stranger = revealing(fixture.stranger)
    await expect(get(stranger)).rejects.toMatchObject({ code: 404 })
    await expect(atDesk(stranger)).rejects.toMatchObject({ code: 404 })
  })

  it('are shown to users who see the record but not the school', async () => {
    const byDept: Actor = { ...fixture.reader, schools: [], depts: [fixture.first.deptId] }
    expect((await atDesk(byDept))['contacts']).toHaveLength(3)
    await expect(get(byDept)).rejects.toMatchObject({ code: 404 })
  })

  it.each(PHONES.map((phone, at) => [phone, MASKED[at]]))('%s reads %s', (phone, masked) => {
    expect(maskPhone(phone ?? '')).toBe(masked)
  })
})

const ring = (...corners: unknown[]) => ({ type: 'Polygon', coordinates: [corners] })
const closed = ring([114, 30], [115, 30], [115, 31], [114, 30])
const save = (columns: object) =>
  fixture.all.updateTable('school').set(columns).where('id', '=', fixture.second.id).execute()

describe('the table accepts', () => {
  it('a closed ring and ten contacts', async () => {
    await save({ geofence: closed })
    await save({ emergencyContacts: JSON.stringify(Array(10).fill(contacts[0])) })
  })

  it.each([
    ['a ring that is open', ring([114, 30], [115, 30], [115, 31], [114, 31])],
    ['a ring of three', ring([114, 30], [115, 30], [114, 30])],
    ['a point beyond the earth', ring([181, 30], [115, 30], [115, 31], [181, 30])],
    ['a point that is text', ring(['114', 30], [115, 30], [115, 31], ['114', 30])],
    ['two rings', { ...closed, coordinates: [closed.coordinates[0], closed.coordinates[0]] }],
    ['another shape', { type: 'Point', coordinates: [114, 30] }],
    ['more than a shape', { ...closed, name: 'yard' }],
    ['too many points', ring(...Array(301).fill([114, 30]))],
  ])('no fence of %s', async (_, geofence) => {
    await expect(save({ geofence })).rejects.toMatchObject({ code: '23514', constraint: 'school_geofence_check' })
  })

  it.each([
    ['eleven', Array(11).fill(contacts[0])],
    ['an unknown role', [{ ...contacts[0], role: 'COOK' }]],
    ['a number of letters', [{ ...contacts[0], phone: 'call me' }]],
    ['no name', [{ ...contacts[0], name: '' }]],
    ['no list', contacts[0]],
  ])('no contacts: %s', async (_, given) => {
    const saved = save({ emergencyContacts: JSON.stringify(given) })
    await expect(saved).rejects.toMatchObject({ code: '23514', constraint: 'school_emergency_contacts_check' })
  })
})
