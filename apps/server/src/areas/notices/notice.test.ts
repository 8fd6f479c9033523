import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDept, makeUser } from '../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer, pageIn, PASSWORD, errorFields } from '../../../test/admin-server.ts'
import { noticeCalls } from './routes.ts'

const all = ['query', 'create', 'update', 'delete', 'publish', 'revoke'].map((verb) => `system:notice:${verb}`)
let admin: AdminServer
let writer: { token: string; userId: number }
let reader: { token: string; userId: number }
let stranger: { token: string; userId: number }
beforeAll(async () => {
  admin = await startAdminServer((db) => noticeCalls.routes({ db }))
  writer = await admin.clerk(...all)
  reader = await admin.clerk()
  const user = await makeUser(admin.site.db, { username: 'far', password: PASSWORD, deptId: admin.there.deptId })
  stranger = { userId: user.id, token: await admin.site.tokenOf('far', PASSWORD) }
})
afterAll(() => admin.end())
beforeEach(async () => {
  await admin.all.deleteFrom('notice').execute()
  await admin.site.db.deleteFrom('event').execute()
})

const draft = (more: object = {}) => ({ title: '通知', type: '1', content: '<p>内容</p>', target: 'ALL', ...more })
const post = (verb: string, body: object, token?: string) => admin.call('POST', `/system/notice/${verb}`, body, token)
const create = async (more: object = {}, token?: string) => Number((await post('create', draft(more), token)).data)
const row = async (id: number, token?: string) =>
  (await admin.call('GET', `/system/notice/get?id=${id}`, undefined, token)).data
const published = async (more: object = {}) => {
  const id = await create(more)
  expect((await post('publish', { id, version: 1 })).code).toBe(200)
  return id
}
const myIds = async ({ token }: { token: string }, query = '') =>
  pageIn(await admin.call('GET', `/system/notice/my-page?${query}`, undefined, token)).list.map(({ id }) => id)
const unread = async ({ token }: { token: string }) =>
  (await admin.call('GET', '/system/notice/unread-count', undefined, token)).data as unknown as number

describe('notices', () => {
  it('are sanitized, and audited with their receivers', async () => {
    const id = await create({ content: '<p onclick="x()">内容</p><script>x</script>' })
    expect(await row(id)).toMatchObject({ content: '<p>内容</p>', level: 'L', state: 'DRAFT', deptIds: [], version: 1 })
    const edit = { id, version: 1, title: '改', target: 'USER', userIds: [reader.userId] }
    expect((await admin.call('PUT', '/system/notice/update', edit)).code).toBe(200)
    expect(await row(id)).toMatchObject({ title: '改', userIds: [reader.userId], content: '<p>内容</p>', version: 2 })
    const audit = admin.all.selectFrom('auditLog').select(['before', 'after']).where('subjectId', '=', id)
    expect(await audit.where('action', '=', 'system:notice:update').executeTakeFirst()).toMatchObject({
      before: { title: '通知', target: 'ALL', userIds: [], version: 1 },
      after: { title: '改', target: 'USER', userIds: [reader.userId], version: 2 },
    })
  })

  it('about a job are none of them', async () => {
    const id = await create()
    const { id: jobId } = await admin.all
      .insertInto('job')
      .values({ name: 'export', state: 'DONE', userId: reader.userId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await admin.all.updateTable('notice').set({ jobId, deptId: null }).where('id', '=', id).execute()
    const missing = codes.noticeMissing.code
    expect((await admin.call('GET', `/system/notice/get?id=${id}`)).code).toBe(missing)
    expect((await admin.call('PUT', '/system/notice/update', { id, version: 8, title: 'x' })).code).toBe(missing)
    expect((await post('revoke', { id, version: 8 })).code).toBe(missing)
    expect((await admin.call('DELETE', `/system/notice/delete?id=${id}`)).code).toBe(missing)
    expect(pageIn(await admin.call('GET', '/system/notice/page')).total).toBe(0)
  })

  it('are published, revoked and published again, then unread for all', async () => {
    const id = await published()
    expect(await row(id)).toMatchObject({
      state: 'PUBLISHED',
      publisherName: '系统管理员',
      revokedAt: null,
      version: 2,
    })
    await post('read', { ids: [id] }, reader.token)
    expect(await unread(reader)).toBe(0)
    expect((await post('revoke', { id, version: 2 })).code).toBe(200)
    expect(await row(id)).toMatchObject({ state: 'REVOKED', version: 3 })
    expect(await myIds(reader)).toEqual([])
    expect((await post('publish', { id, version: 3 })).code).toBe(200)
    expect(await unread(reader)).toBe(1)
    expect(await admin.events('notice.published')).toEqual(Array(2).fill({ ref: id, userId: null }))
    expect(await admin.events('notice.revoked')).toEqual([{ ref: id, userId: null }])
  })

  it('cannot be changed, deleted or published when published, nor revoked as a draft', async () => {
    const [id, other] = [await published(), await create()]
    const state = codes.noticeState.code
    expect((await admin.call('PUT', '/system/notice/update', { id, version: 2, title: 'x' })).code).toBe(state)
    expect((await admin.call('DELETE', `/system/notice/delete?id=${id}`)).code).toBe(state)
    expect((await post('publish', { id, version: 2 })).code).toBe(state)
    expect((await post('revoke', { id: other, version: 1 })).code).toBe(state)
  })

  it('have a remark that no reader sees', async () => {
    const id = await published({ remark: ' 内部说明 ' })
    expect(await row(id)).toMatchObject({ remark: '内部说明' })
    for (const call of [`notice/my-get?id=${id}`, 'notice/my-page', 'notify-message/my-page']) {
      const read = await admin.call('GET', `/system/${call}`, undefined, reader.token)
      expect(read.code).toBe(200)
      expect(JSON.stringify(read)).not.toContain('内部说明')
    }
    const other = await create()
    const edit = (remark: unknown) => admin.call('PUT', '/system/notice/update', { id: other, remark })
    expect((await row(other))['remark']).toBeNull()
    expect((await edit('一')).code).toBe(200)
    expect((await edit(undefined)).code).toBe(200)
    expect(await row(other)).toMatchObject({ remark: '一', version: 3 })
    expect((await edit(null)).code).toBe(200)
    expect((await row(other))['remark']).toBeNull()
    expect(errorFields(await edit('长'.repeat(501)))).toEqual(['remark'])
  })

  it('are not published in a stale version, nor revoked when missing', async () => {
    const id = await create()
    const stale = {
      code: codes.stale.code,
      data: { current: { id, version: 1, title: '通知', content: '<p>内容</p>' } },
    }
    expect(await post('publish', { id, version: 8 })).toMatchObject(stale)
    expect((await post('revoke', { id: 999_999, version: 1 })).code).toBe(codes.noticeMissing.code)
  })

  it.each([
    ['deptIds', { target: 'DEPT' }],
    ['deptIds', { target: 'DEPT', deptIds: [999_999] }],
    ['userIds', { target: 'USER', userIds: [] }],
    ['userIds', { target: 'USER', userIds: [999_999] }],
  ])('name the field %s when it is wrong', async (field, wrong) => {
    expect(errorFields(await post('create', draft(wrong)))).toEqual([field])
  })

  it('are managed by users who see the department they come from', async () => {
    const [far, near] = [await create(), await create({ target: 'DEPT', deptIds: [admin.here.deptId] }, writer.token)]
    const { list } = pageIn(
      await admin.call('GET', '/system/notice/page?state=DRAFT&title=通', undefined, writer.token),
    )
    expect(list.map(({ id }) => id)).toEqual([near])
    expect((await post('publish', { id: far, version: 1 }, writer.token)).code).toBe(codes.noticeMissing.code)
    expect(pageIn(await admin.call('GET', '/system/notice/page?type=1')).total).toBe(2)
  })

  it('are found by level and creation time', async () => {
    const [high, low] = [await create({ level: 'H' }), await create()]
    const found = async (query: string) =>
      pageIn(await admin.call('GET', `/system/notice/page?${query}`)).list.map(({ id }) => id)
    expect(await found('level=H')).toEqual([high])
    const day = (offset: number) => Date.now() + offset * 86_400_000
    expect(await found(`createTime[0]=${day(-1)}&createTime[1]=${day(1)}`)).toEqual([low, high])
    expect(await found(`createTime[0]=${day(1)}&createTime[1]=${day(2)}`)).toEqual([])
    expect(errorFields(await admin.call('GET', '/system/notice/page?level=X'))).toEqual(['level.0'])
  })

  it('are found by their receivers by publication time', async () => {
    const [old, late] = [await published(), await published()]
    const at = new Date(Date.now() - 10 * 86_400_000)
    await admin.all.updateTable('notice').set({ publishedAt: at }).where('id', '=', old).execute()
    const ends = (from: number, to: number) =>
      `publishedAt[0]=${at.getTime() + from * 1000}&publishedAt[1]=${at.getTime() + to * 1000}`
    expect(await myIds(reader)).toEqual([late, old])
    expect(await myIds(reader, ends(-1, 1))).toEqual([old])
    expect(await myIds(reader, ends(1, 2))).toEqual([])
  })

  it('cannot address users who are invisible to the writer or the publisher', async () => {
    expect((await post('create', draft(), writer.token)).code).toBe(codes.noticeBeyond.code)
    const far = { target: 'DEPT', deptIds: [admin.there.deptId] }
    expect(errorFields(await post('create', draft(far), writer.token))).toEqual(['deptIds'])
    const people = { target: 'USER', userIds: [reader.userId, stranger.userId] }
    expect(errorFields(await post('create', draft(people), writer.token))).toEqual(['userIds'])
    const id = await create(far)
    await admin.all.updateTable('notice').set({ deptId: admin.here.deptId }).where('id', '=', id).execute()
    expect(errorFields(await post('publish', { id, version: 1 }, writer.token))).toEqual(['deptIds'])
  })

  it('show an editor only visible receivers, and keep the others on a change', async () => {
    const { here, there } = admin
    const [depts, people] = [
      await create({ target: 'DEPT', deptIds: [here.deptId, there.deptId] }),
      await create({ target: 'USER', userIds: [reader.userId, stranger.userId] }),
    ]
    await admin.all.updateTable('notice').set({ deptId: here.deptId }).execute()
    expect(await row(depts, writer.token)).toMatchObject({ deptIds: [here.deptId], userIds: [] })
    expect(await row(people, writer.token)).toMatchObject({ deptIds: [], userIds: [reader.userId] })
    const form = (await admin.call('GET', `/api/v1/notices/${people}/form`, undefined, writer.token)).data
    expect(form['targetUserIds']).toEqual([String(reader.userId)])
    const update = (edit: object) => admin.call('PUT', '/system/notice/update', { title: '改', ...edit }, writer.token)
    expect((await update({ id: depts, target: 'DEPT', deptIds: [] })).code).toBe(200)
    expect((await update({ id: people, target: 'USER', userIds: [writer.userId] })).code).toBe(200)
    expect(await row(depts)).toMatchObject({ title: '改', deptIds: [there.deptId] })
    expect(await row(people)).toMatchObject({ title: '改', userIds: [writer.userId, stranger.userId].toSorted() })
    // The editor cannot add invisible receivers, and sends none of them.
    expect(errorFields(await update({ id: people, userIds: [admin.there.userId] }))).toEqual(['userIds'])
    for (const id of [depts, people])
      expect(errorFields(await post('publish', { id, version: 2 }, writer.token))).toHaveLength(1)
    expect((await post('publish', { id: people, version: 2 })).code).toBe(200)
    expect(errorFields(await post(`push?id=${people}`, {}, writer.token))).toEqual(['userIds'])
    expect(await admin.events('notice.published')).toHaveLength(2)
  })

  it('reach no user of a subdepartment that the writer cannot see', async () => {
    const { id: below } = await makeDept(admin.site.db, { name: '丁部门', parentId: admin.here.deptId })
    const { id: userId } = await makeUser(admin.site.db, { username: 'deep', password: PASSWORD, deptId: below })
    const named = draft({ target: 'USER', userIds: [userId] })
    expect(errorFields(await post('create', named, writer.token))).toEqual(['userIds'])
    const whole = draft({ target: 'DEPT', deptIds: [admin.here.deptId] })
    expect((await post('create', whole, writer.token)).code).toBe(codes.noticeBeyond.code)
    expect((await post('create', whole)).code).toBe(200)
    await admin.all.deleteFrom('users').where('id', '=', userId).execute()
    await admin.site.db.deleteFrom('dept').where('id', '=', below).execute()
    expect((await post('create', whole, writer.token)).code).toBe(200)
  })
})

describe('receivers', () => {
  it('get notices to all, to them, or to a department above them, and are notified', async () => {
    const below = await makeDept(admin.site.db, { parentId: admin.here.deptId })
    const user = await makeUser(admin.site.db, { username: 'deep', password: PASSWORD, deptId: below.id })
    const deep = { userId: user.id, token: await admin.site.tokenOf('deep', PASSWORD) }
    const dept = await published({ target: 'DEPT', deptIds: [admin.here.deptId] })
    const events = (await admin.events('notice.published')).map(({ userId }) => userId)
    expect(events.toSorted()).toEqual([admin.here.userId, writer.userId, reader.userId, deep.userId].toSorted())
    const person = await published({ target: 'USER', userIds: [stranger.userId] })
    expect((await admin.events('notice.published')).at(-1)).toEqual({ ref: person, userId: stranger.userId })
    const everybody = await published()
    expect(await myIds(deep)).toEqual([everybody, dept])
    expect(await myIds(stranger)).toEqual([everybody, person])
    await admin.all.deleteFrom('users').where('id', '=', deep.userId).execute()
    await admin.site.db.deleteFrom('dept').where('id', '=', below.id).execute()
  })

  it('are only told to refetch when they are very many', async () => {
    const { id: deptId } = await makeDept(admin.site.db, { name: '大部门' })
    const many = Array.from({ length: 501 }, (_, at) => ({
      username: `many${at}`,
      nickname: `众 ${at}`,
      passwordHash: 'none',
      deptId,
    }))
    await admin.all.insertInto('users').values(many).execute()
    await published({ target: 'DEPT', deptIds: [deptId] })
    expect(await admin.events('notice.published')).toEqual([{ ref: null, userId: null }])
    await admin.all.deleteFrom('users').where('deptId', '=', deptId).execute()
  })

  it('see only notices published to them', async () => {
    const [hidden, other] = [await create(), await published({ target: 'USER', userIds: [stranger.userId] })]
    for (const id of [hidden, other, 999_999])
      expect((await admin.call('GET', `/system/notice/my-get?id=${id}`, undefined, reader.token)).code).toBe(
        codes.noticeMissing.code,
      )
    const shown = await admin.call('GET', `/system/notice/my-get?id=${other}`, undefined, stranger.token)
    expect(shown.data).toMatchObject({ content: '<p>内容</p>', readAt: null })
  })

  it('mark single notices or all as read, each for themselves', async () => {
    const [first, second] = [await published({ title: '第一' }), await published()]
    const foreign = await published({ target: 'USER', userIds: [stranger.userId] })
    expect((await post('read', { ids: [first, foreign, first, 999_999] }, reader.token)).code).toBe(200)
    expect(await myIds(reader, 'isRead=true')).toEqual([first])
    expect(await myIds(reader, 'isRead=false')).toEqual([second])
    expect(await myIds(reader, 'title=第')).toEqual([first])
    expect(await unread(stranger)).toBe(3)
    await post('read-all', {}, reader.token)
    expect(await unread(reader)).toBe(0)
    expect(await unread(stranger)).toBe(3)
    expect(errorFields(await post('read', { ids: [] }, reader.token))).toEqual(['ids'])
  })
})

describe('readers of a notice', () => {
  const readers = async (id: number, query = '', token?: string) =>
    pageIn(await admin.call('GET', `/system/notice/readers?id=${id}&${query}`, undefined, token))

  it('list every receiver, and no other user', async () => {
    const id = await published({ target: 'USER', userIds: [reader.userId, stranger.userId] })
    await post('read', { ids: [id] }, reader.token)
    expect(await readers(id, 'isRead=false')).toMatchObject({
      total: 1,
      list: [{ userId: stranger.userId, readAt: null }],
    })
    const { list } = await readers(id, 'isRead=true')
    expect(list).toMatchObject([{ userId: reader.userId, deptName: '甲部门', readAt: expect.any(Number) }])
    expect((await readers(id)).total).toBe(2)
    await admin.all.updateTable('users').set({ enabled: false }).where('id', '=', stranger.userId).execute()
    expect((await readers(id)).total).toBe(1)
    await admin.all.updateTable('users').set({ enabled: true }).where('id', '=', stranger.userId).execute()
  })

  it('list no invisible users, and nothing of an invisible notice', async () => {
    const id = await published()
    expect(errorFields(await admin.call('GET', '/system/notice/readers'))).toEqual(['id'])
    const missing = await admin.call('GET', `/system/notice/readers?id=${id}`, undefined, writer.token)
    expect(missing.code).toBe(codes.noticeMissing.code)
    await admin.all.updateTable('notice').set({ deptId: admin.here.deptId }).where('id', '=', id).execute()
    const seen = (await readers(id, 'pageSize=50', writer.token)).list.map(({ deptName }) => deptName)
    expect(seen.length).toBeGreaterThan(2)
    expect([...new Set(seen)]).toEqual(['甲部门'])
  })
})

describe('notices in the API variants', () => {
  const detail = (id: number, token?: string) => admin.call('GET', `/api/v1/notices/${id}/detail`, undefined, token)
  const mine = (path: string, method: 'GET' | 'PUT' = 'GET', { token } = reader) =>
    admin.call(method, `/system/notify-message/${path}`, undefined, token)

  it('are read by opening one; a draft only by its administrators', async () => {
    const id = await published()
    expect(await unread(reader)).toBe(1)
    expect((await detail(id, reader.token)).data).toMatchObject({
      title: '通知',
      content: '<p>内容</p>',
      publishStatus: 1,
    })
    expect(await unread(reader)).toBe(0)
    const hidden = await create()
    expect((await detail(hidden, reader.token)).code).toBe(codes.noticeMissing.code)
    expect((await detail(hidden)).data).toMatchObject({ publishStatus: 0, publishTime: null })
  })

  it('are pushed when published, and later pushed again on request', async () => {
    const id = await create()
    const push = (token?: string) => post(`push?id=${id}`, {}, token)
    expect((await push()).code).toBe(200)
    expect(await row(id)).toMatchObject({ state: 'PUBLISHED', version: 2 })
    expect((await push()).code).toBe(200)
    expect(await row(id)).toMatchObject({ state: 'PUBLISHED', version: 2 })
    expect(await admin.events('notice.published')).toHaveLength(2)
    expect((await push(writer.token)).code).toBe(codes.noticeMissing.code)
    expect((await push(reader.token)).code).toBe(403)
    for (const right of ['update', 'publish'])
      expect((await push((await admin.clerk(`system:notice:${right}`)).token)).code).toBe(codes.noticeMissing.code)
  })

  it('are deleted all or none', async () => {
    const [first, second, third] = [await create(), await create(), await published({ title: '三' })]
    const remove = (ids: string) => admin.call('DELETE', `/system/notice/delete-list?ids=${ids}`)
    const { code, msg } = await remove(`${first},${third}`)
    expect({ code, msg }).toEqual({ code: codes.noticeState.code, msg: '【三】通知的当前状态不允许该操作' })
    expect(await row(first)).toMatchObject({ state: 'DRAFT' })
    expect((await remove(`${first},${second}`)).code).toBe(200)
  })

  it('are messages to their receivers', async () => {
    const [first, second] = [await published(), await published({ title: '二' })]
    await published({ target: 'USER', userIds: [stranger.userId] })
    expect((await mine('get-unread-count')).data).toBe(2)
    expect((await mine('get-unread-list')).data).toMatchObject([
      { id: second, templateContent: '二', readStatus: false, readTime: null },
      { id: first, templateNickname: '系统管理员' },
    ])
    expect((await mine(`update-read?ids=${first}`, 'PUT')).code).toBe(200)
    expect(pageIn(await mine('my-page?pageNo=1&readStatus=true')).list).toMatchObject([{ id: first, readStatus: true }])
    const past = 'createTime[0]=2020-01-01&createTime[1]=2020-01-02'
    expect(pageIn(await mine(`my-page?${past}`)).list).toEqual([])
    expect((await mine('update-all-read', 'PUT')).code).toBe(200)
    expect((await mine('get-unread-count')).data).toBe(0)
    expect((await mine('get-unread-count', 'GET', stranger)).data).toBe(3)
    expect(errorFields(await mine('update-read', 'PUT'))).toEqual(['ids'])
  })
})

describe('a notice with a status', () => {
  it('is published or revoked with a change by users who may do both, otherwise nothing changes', async () => {
    const update = (body: object, token?: string) => admin.call('PUT', '/system/notice/update', body, token)
    const { token } = await admin.clerk('system:notice:query', 'system:notice:create', 'system:notice:update')
    const own = { target: 'DEPT', deptIds: [admin.here.deptId] }
    expect((await post('create', draft({ ...own, status: 0 }), token)).code).toBe(403)
    expect(await admin.all.selectFrom('notice').select('id').execute()).toEqual([])
    const id = await create({ ...own, status: 1 }, token)
    expect(await row(id, token)).toMatchObject({ state: 'DRAFT', status: 1 })
    expect((await update({ id, title: '改', status: 0 }, token)).code).toBe(403)
    expect(await row(id)).toMatchObject({ title: '通知', state: 'DRAFT', version: 1 })

    expect((await update({ id, title: '改', status: 0, version: 1 })).code).toBe(200)
    expect(await row(id)).toMatchObject({ title: '改', state: 'PUBLISHED', status: 0 })
    expect(await myIds(reader)).toEqual([id])
    expect((await update({ id, title: '再改', status: 1 }, token)).code).toBe(403)
    expect((await update({ id, title: '再改', status: 1, version: 1 })).code).toBe(codes.stale.code)
    expect((await update({ id, title: '再改', status: 1 })).code).toBe(200)
    expect(await row(id)).toMatchObject({ title: '再改', state: 'REVOKED', status: 1 })
    expect(await admin.audited('notice', id)).toEqual(
      ['create', 'update', 'publish', 'revoke', 'update'].map((verb) => `system:notice:${verb}`),
    )
    const result = await create({ status: 0 })
    const page = async (query: string) => pageIn(await admin.call('GET', `/system/notice/page?${query}`)).list
    expect(await page('status=0')).toMatchObject([{ id: result, status: 0 }])
    expect(await page('status=1')).toMatchObject([{ id, status: 1 }])
  })
})
