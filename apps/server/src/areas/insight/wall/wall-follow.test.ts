import { codes } from '@tocsin/contract/codes'
import { WALL_FOLLOW_SEC } from '@tocsin/contract/insight/wall'
import { sql } from 'kysely'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeSchool } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { testPrefix } from '../../../../test/kill-leftovers.ts'
import { wallRoutes } from './routes.ts'

const deskRights = ['insight:wall:follow', 'warn:record:query']
const folder = mkdtempSync(join(tmpdir(), `${testPrefix}wall-tiles-`))

let admin: AdminServer
let keeper: { token: string }
let operator: { token: string }
let record: { id: number }
let foreign: { id: number }
let wall: { id: number; token: string }

beforeAll(async () => {
  mkdirSync(join(folder, '3', '6'), { recursive: true })
  writeFileSync(join(folder, '3', '6', '2.png'), 'picture')
  admin = await startAdminServer((db) => wallRoutes({ db, map: { local: folder } }))
  keeper = await admin.clerk('insight:wall:create', 'insight:wall:revoke', 'warn:record:query')
  operator = await admin.clerk(...deskRights)
  await admin.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
  const at = (name: string, eduDeptId: number) => makeSchool(admin.site.db, { name, eduDeptId, status: 'ACTIVE' })
  const [school, other] = [await at('东湖一小', admin.here.deptId), await at('西湖一小', admin.there.deptId)]
  const here = { schoolId: school.id, deptId: school.deptId, schoolName: '东湖一小', placePath: '教学楼 / 304' }
  record = await makeRecord(admin.site.db, { ...here, level: 2 })
  foreign = await makeRecord(admin.site.db, { schoolId: other.id, deptId: other.deptId, level: 1 })
})
beforeEach(async () => {
  await admin.all.deleteFrom('wallFollow').execute()
  const draft = { name: '大厅', deptId: admin.here.deptId, days: 7 }
  wall = (await admin.call('POST', '/insight/wall/create', draft, keeper.token)).data as never
})
afterAll(async () => {
  await admin.end()
  rmSync(folder, { recursive: true })
})

type Desk = { token: string }
const follow = (verb: 'start' | 'show' | 'stop', body: object, { token }: Desk = operator) =>
  admin.call('POST', `/insight/wall-follow/${verb}`, body, token)
const start = (recordId: number | null, desk: Desk = operator) => follow('start', { linkId: wall.id, recordId }, desk)
const followed = async () =>
  (await admin.site.call('POST', '/insight/wall-board/open', { body: { token: wall.token } })).data['follow']
const stateOf = async ({ token }: Desk) => {
  const { data } = await admin.call('GET', '/insight/wall-follow/list', undefined, token)
  return (data as unknown as { id: number; follows: string }[]).find(({ id }) => id === wall.id)?.follows
}

describe('a wall that follows a desk', () => {
  it('shows the open alarm that the operator selected, without saying who', async () => {
    expect(await followed()).toBeNull()
    expect(await start(null)).toMatchObject({ code: 200, data: true })
    expect(await followed()).toEqual({ alarm: null, schoolId: null })
    expect((await follow('show', { recordId: record.id })).data).toEqual([wall.id])
    const shown = await followed()
    expect(shown).toMatchObject({ alarm: { id: record.id, placePath: '教学楼 / 304' } })
    expect(JSON.stringify(shown)).not.toMatch(/clerk|user|session|owner/i)
    expect(await admin.audited('wall_link', wall.id)).toEqual(['insight:wall:create', 'insight:wall:follow'])
  })

  it('shows no alarm that the operator or the wall may not see', async () => {
    await start(foreign.id)
    expect(await followed()).toEqual({ alarm: null, schoolId: null })
    const seesAll = { token: admin.adminToken }
    await start(foreign.id, seesAll)
    expect(await followed()).toEqual({ alarm: null, schoolId: null })
  })

  it('needs the permission, and a working link of a department in sight', async () => {
    const reader = await admin.clerk('warn:record:query')
    expect((await start(record.id, reader)).code).toBe(codes.forbidden.code)
    const draft = { name: '别处', deptId: admin.there.deptId, days: 7 }
    const { id: linkId } = (await admin.call('POST', '/insight/wall/create', draft)).data as unknown as { id: number }
    expect((await follow('start', { linkId, recordId: null })).code).toBe(codes.notFound.code)
    await admin.call('POST', '/insight/wall/revoke', { id: wall.id }, keeper.token)
    expect((await start(record.id)).code).toBe(codes.notFound.code)
  })

  it('stops at once when the operator stops, locks the screen or signs out', async () => {
    const leaver = { token: await admin.site.tokenOf('clerk2', 'Maple-river-42') }
    await start(record.id, leaver)
    expect(await followed()).not.toBeNull()
    await sql`update session set locked_at = now() where id = (select session_id from wall_follow)`.execute(
      admin.site.db,
    )
    expect(await followed()).toBeNull()
    await sql`update session set locked_at = null`.execute(admin.site.db)
    expect(await followed()).not.toBeNull()
    await follow('stop', { linkId: wall.id }, leaver)
    expect(await followed()).toBeNull()
    await start(record.id, leaver)
    expect((await admin.site.call('POST', '/system/auth/logout', { token: leaver.token })).code).toBe(200)
    expect(await followed()).toBeNull()
  })

  it('stops when the page no longer renews, and when the link is revoked', async () => {
    await start(record.id)
    await sql`update wall_follow set shown_at = now() - make_interval(secs => ${WALL_FOLLOW_SEC + 1})`.execute(
      admin.site.db,
    )
    expect(await followed()).toBeNull()
    expect(await stateOf(operator)).toBe('NOBODY')
    await follow('show', { recordId: record.id })
    expect(await followed()).not.toBeNull()
    await admin.call('POST', '/insight/wall/revoke', { id: wall.id }, keeper.token)
    expect((await follow('show', { recordId: record.id })).data).toEqual([])
    const refused = await admin.site.call('POST', '/insight/wall-board/open', { body: { token: wall.token } })
    expect(refused.code).toBe(codes.wallRevoked.code)
  })

  it('follows one desk: another one takes it over, and the first one learns it', async () => {
    const second = await admin.clerk(...deskRights)
    await admin.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
    await start(record.id)
    expect([await stateOf(operator), await stateOf(second)]).toEqual(['MINE', 'OTHER'])
    await start(null, second)
    expect((await follow('show', { recordId: record.id })).data).toEqual([])
    await follow('stop', { linkId: wall.id })
    expect(await followed()).toEqual({ alarm: null, schoolId: null })
  })
})

describe('the base map of a wall', () => {
  const ask = (part: 'base' | 'tile', body: object) =>
    admin.site.app.inject({
      method: 'POST',
      url: `/admin-api/insight/wall-board/${part}`,
      payload: { token: wall.token, ...body },
    })
  const tile = { layer: 'vec', z: 3, x: 6, y: 2 }

  it('is read by the link, without a session', async () => {
    expect((await ask('base', {})).json().data).toMatchObject({ source: 'FOLDER', layers: ['vec'] })
    const answer = await ask('tile', tile)
    expect([answer.headers['content-type'], answer.body]).toEqual(['image/png', 'picture'])
  })

  it('is refused when the link is unknown or revoked', async () => {
    expect((await ask('tile', { ...tile, token: 'x'.repeat(43) })).json().code).toBe(codes.wallUnknown.code)
    await admin.call('POST', '/insight/wall/revoke', { id: wall.id }, keeper.token)
    expect((await ask('tile', tile)).json().code).toBe(codes.wallRevoked.code)
    expect((await ask('base', {})).json().code).toBe(codes.wallRevoked.code)
  })
})
