import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { type DutyServer, makePostDraft, startDutyServer } from '../../../../test/duty-server.ts'

let site: DutyServer
beforeAll(async () => {
  site = await startDutyServer()
})
afterAll(() => site.end())

const P = '/security/post'
const create = (more: object, token?: string) => site.call('POST', `${P}/create`, makePostDraft(more), token)

describe('posts', () => {
  it('creates, changes and deletes a post with audit and event', async () => {
    const equipment = [{ name: '盾牌', required: 2, present: 1 }]
    const id = await site.post({ equipment })
    const { data } = await site.call('GET', `${P}/get?id=${id}`)
    expect(data).toMatchObject({ ownerName: '东湖一小', equipment, missing: 1, planned: 0, present: 0 })
    expect(data).not.toHaveProperty('checkCode')
    const edit = { id, version: 1, headcount: 3, equipment: [] }
    expect((await site.call('PUT', `${P}/update`, edit)).code).toBe(200)
    expect((await site.call('PUT', `${P}/update`, edit)).code).toBe(codes.stale.code)
    expect((await site.call('GET', `${P}/get?id=${id}`)).data).toMatchObject({ headcount: 3, missing: 0, version: 2 })
    expect((await site.call('DELETE', `${P}/delete?id=${id}`)).code).toBe(200)
    expect(await site.audited('security_post', id)).toEqual([
      'security:post:create',
      'security:post:update',
      'security:post:delete',
    ])
    expect((await site.events('post.changed')).filter(({ ref }) => ref === id)).toHaveLength(3)
  })

  it('rejects a post without an owner, with two, or with a place of another school', async () => {
    const { schoolId } = site
    expect((await create({})).code).toBe(codes.postNeedsOwner.code)
    expect((await create({ schoolId, deptId: site.here.deptId })).code).toBe(codes.postNeedsOwner.code)
    expect((await create({ schoolId: 999_999 })).code).toBe(codes.notFound.code)
    expect((await create({ schoolId, placeId: 999_999 })).code).toBe(codes.postPlace.code)
    expect(errorFields(await create({ schoolId, weekdays: 0, fromMin: 1440 }))).toEqual(['weekdays', 'fromMin'])
  })

  it('shows posts and their numbers only to users who see the school', async () => {
    const id = await site.post({ schoolId: site.otherSchoolId })
    const seat = await site.post({ schoolId: null, deptId: site.there.deptId, type: 'SEAT' })
    const { token } = await site.clerk('security:post:query', 'security:post:update', 'security:post:create')
    await site.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
    for (const other of [id, seat]) {
      expect((await site.call('GET', `${P}/get?id=${other}`, undefined, token)).code).toBe(codes.notFound.code)
      expect((await site.call('PUT', `${P}/update`, { id: other, headcount: 9 }, token)).code).toBe(codes.notFound.code)
      expect((await site.call('GET', `${P}/check-code?id=${other}`, undefined, token)).code).toBe(codes.notFound.code)
    }
    const schools = pageIn(await site.call('GET', '/security/headcount/page', undefined, token))
    expect(schools.list.map(({ schoolName }) => schoolName)).toEqual(['东湖一小'])
    expect((await create({ deptId: site.there.deptId }, token)).code).toBe(codes.notFound.code)
    expect((await site.call('POST', `${P}/generate`, { schoolId: site.otherSchoolId }, token)).code).toBe(
      codes.notFound.code,
    )
    await site.call('DELETE', `${P}/delete?id=${id}`)
  })

  it('explains how many guards a school needs, and creates the posts that it lacks', async () => {
    const read = async (query: string) => pageIn(await site.call('GET', `/security/headcount/page?${query}`)).list[0]
    expect(await read(`schoolId=${site.schoolId}`)).toMatchObject({
      required: 3,
      posts: 0,
      rule: { region: 'CN', minStudents: 1000 },
      lines: [
        { reason: 'BASE', count: 3, actual: 1204, per: null },
        { reason: 'STUDENTS', count: 0, actual: 204, per: 500 },
      ],
    })
    expect(await read(`schoolId=${site.schoolId}&day=2020-01-01`)).toMatchObject({ required: 0, rule: null })
    const generate = () => site.call('POST', `${P}/generate`, { schoolId: site.schoolId })
    expect((await generate()).data).toBe(3)
    expect((await generate()).code).toBe(codes.postsComplete.code)
    expect(await read(`schoolId=${site.schoolId}&short=true`)).toMatchObject({ posts: 3, planned: 0 })
    // A region's own rule has priority over the national one.
    await site.all.updateTable('dept').set({ regionCode: '110000' }).where('id', '=', site.here.deptId).execute()
    expect(await read(`schoolId=${site.schoolId}`)).toMatchObject({ required: 3, rule: { region: '110000' } })
  })

  it('exports the guards that visible schools need and have, those short of guards alone', async () => {
    const sheet = async (query: string, token = site.adminToken) => {
      const headers = { authorization: `Bearer ${token}` }
      const url = `/admin-api/security/headcount/export?format=csv&${query}`
      return (await site.site.app.inject({ url, headers })).body.replaceAll('"', '')
    }
    const all = await sheet('day=2026-03-02&lang=en')
    expect(all).toMatch(/西湖一小,2026-03-02,1204,0,3,0,0,0,GB\/T 29315-2022,By students 3 \+ Beyond the step 0/)
    expect(all).toContain('东湖一小,2026-03-02')
    expect(await sheet(`schoolId=${site.otherSchoolId}`)).not.toContain('东湖一小')
    expect(await sheet('short=true')).toContain('西湖一小')
    expect(await sheet('short=false')).not.toContain('西湖一小')
    const { token } = await site.clerk('security:post:query')
    expect(await sheet('', token)).toContain(String(codes.forbidden.code))
    const district = await site.clerk('security:post:export')
    await site.all.updateTable('users').set({ deptId: site.here.deptId }).where('id', '=', district.userId).execute()
    expect(await sheet('', district.token)).not.toContain('西湖一小')
    const audit = site.all.selectFrom('auditLog').select('after').where('action', '=', 'security:post:export')
    expect((await audit.execute()).length).toBeGreaterThan(0)
  })
})
