import type {
  AnnouncementDetail,
  MyAnnouncementDetail,
  ReceiptSummary,
} from '@tocsin/contract/announcement/announcement'
import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept } from '../../../seed/fixtures.ts'
import { errorFields, pageIn } from '../../../test/admin-server.ts'
import { type AnnouncementServer, inHours, startAnnouncementServer } from '../../../test/announcement-server.ts'

let site: AnnouncementServer
beforeAll(async () => {
  site = await startAnnouncementServer()
})
afterAll(() => site.end())

const A = '/announcement/announcement'
const detail = async (id: number, token = site.who.author.token) =>
  (await site.call('GET', `${A}/get?id=${id}`, undefined, token)).data as unknown as AnnouncementDetail
const mine = async (token: string, query = '') =>
  pageIn(await site.call('GET', `/announcement/mine?pageSize=100${query}`, undefined, token)).list
const readerPage = (id: number, token: string) => site.call('GET', `/announcement/mine/get?id=${id}`, undefined, token)
const opened = async (id: number, token: string) =>
  (await readerPage(id, token)).data as unknown as MyAnnouncementDetail
const receipt = (verb: 'read' | 'sign', id: number, edition: number, token: string) =>
  site.call('POST', `/announcement/mine/${verb}`, { id, edition }, token)
const receipts = async (id: number, token = site.who.author.token) =>
  pageIn(await site.call('GET', `${A}/receipts?id=${id}&pageSize=50`, undefined, token)).list.map(
    ({ userId, readState }) => [userId, readState],
  )

describe('an announcement', () => {
  it('is reviewed by another person, published, read and confirmed', async () => {
    const { author, publisher, head, guard, other, stranger } = site.who
    const id = await site.create()
    expect((await site.act('approve', id, publisher.token)).code).toBe(codes.announcementState.code)
    expect((await site.act('submit', id, author.token)).code).toBe(200)
    expect((await site.act('approve', id, author.token)).code).toBe(codes.announcementReviewer.code)
    expect(await mine(head.token)).toEqual([])
    expect((await site.act('return', id, publisher.token, { reason: '补充联系人' })).code).toBe(200)
    const { version } = await site.rowOf(id)
    const edit = { id, version, content: '<p>检查时间。</p><script>1</script><p>联系人：王老师</p>' }
    expect((await site.call('PUT', `${A}/update`, edit, author.token)).code).toBe(200)
    expect((await site.call('PUT', `${A}/update`, edit, author.token)).code).toBe(codes.stale.code)
    expect((await site.act('submit', id, author.token)).code).toBe(200)
    expect((await site.act('approve', id, publisher.token)).code).toBe(200)
    expect(await detail(id)).toMatchObject({
      state: 'PUBLISHED',
      edition: 1,
      content: '<p>检查时间。</p><p>联系人：王老师</p>',
      schoolNames: ['东湖一小'],
      audience: 2,
    })
    expect(await mine(head.token, '&unread=true')).toMatchObject([{ id, readState: 'UNREAD' }])
    expect(await mine(other.token)).toEqual([])
    expect((await readerPage(id, other.token)).code).toBe(codes.notFound.code)
    expect((await site.call('GET', `${A}/get?id=${id}`, undefined, stranger.token)).code).toBe(codes.notFound.code)
    expect((await receipt('read', id, 1, head.token)).code).toBe(200)
    expect((await receipt('sign', id, 1, guard.token)).code).toBe(200)
    expect(await receipts(id)).toEqual([
      [head.id, 'READ'],
      [guard.id, 'SIGNED'],
    ])
    expect(await mine(head.token, '&unread=true')).toEqual([])
    expect(await mine(head.token, '&unsigned=true')).toHaveLength(1)
    expect((await detail(id)).log.map(({ userAccount }) => userAccount)).not.toContain(null)
    expect((await detail(id)).log.map(({ verb }) => verb).toReversed()).toEqual([
      'create',
      'submit',
      'return',
      'submit',
      'approve',
    ])
    expect(await site.audited('announcement', id)).toEqual(
      expect.arrayContaining(['announcement:announcement:review', 'announcement:announcement:sign']),
    )
    const events = (await site.events('announcement.published')).filter(({ ref }) => ref === id)
    expect(events.map(({ userId }) => userId).toSorted()).toEqual([head.id, guard.id].toSorted())
  })

  it('shows readers the last edition until its revision is approved, then what changed', async () => {
    const { author, publisher, head, guard } = site.who
    const id = await site.publish()
    await receipt('sign', id, 1, head.token)
    const text = {
      title: '期末校园安全检查安排',
      content: '<p>检查时间：12 月 8 日。</p><p>请各校自查。</p>',
      pinned: true,
      validUntil: null,
    }
    expect((await site.act('revise', id, author.token, text)).code).toBe(200)
    expect((await opened(id, head.token)).blocks[0]?.html).toContain('12 月 1 日')
    expect((await site.act('approveRevision', id, publisher.token)).code).toBe(codes.announcementRevision.code)
    expect((await site.act('submitRevision', id, author.token)).code).toBe(200)
    expect((await site.act('approveRevision', id, author.token)).code).toBe(codes.announcementReviewer.code)
    expect((await site.act('returnRevision', id, publisher.token, { reason: '日期有误' })).code).toBe(200)
    expect((await site.act('submitRevision', id, author.token)).code).toBe(200)
    expect((await site.act('approveRevision', id, publisher.token)).code).toBe(200)
    expect(await mine(head.token)).toMatchObject([{ id, pinned: true, readState: 'CHANGED' }, {}])
    expect(await opened(id, head.token)).toMatchObject({
      edition: 2,
      signedAt: null,
      changeCount: 1,
      blocks: [{ isChanged: true }, { isChanged: false }],
    })
    expect((await opened(id, guard.token)).changeCount).toBeNull()
    // A confirmation is for the edition that was read.
    expect((await receipt('sign', id, 1, head.token)).code).toBe(codes.announcementChanged.code)
    expect((await receipt('sign', id, 2, head.token)).code).toBe(200)
    expect((await opened(id, head.token)).changeCount).toBe(1)
    expect(await receipts(id)).toEqual([
      [guard.id, 'UNREAD'],
      [head.id, 'SIGNED'],
    ])
  })

  it('is published and expires by the clock, once on two nodes', async () => {
    const { author, publisher, head } = site.who
    const id = await site.create({ publishAt: inHours(1), validUntil: inHours(30) })
    await site.act('submit', id, author.token)
    await site.act('approve', id, publisher.token)
    expect((await site.rowOf(id)).state).toBe('SCHEDULED')
    const past = await site.act('schedule', id, publisher.token, { publishAt: inHours(-1) })
    expect(errorFields(past)).toEqual(['publishAt'])
    expect((await site.act('schedule', id, publisher.token, { publishAt: inHours(2) })).code).toBe(200)
    await site.elapse(id, 'PUBLISH')
    expect(await site.rowOf(id)).toMatchObject({ state: 'PUBLISHED', edition: 1 })
    await receipt('read', id, 1, head.token)
    const text = { title: '新版', content: '<p>新版</p>', pinned: false, validUntil: null }
    expect((await site.act('revise', id, author.token, text)).code).toBe(200)
    await site.attachToRevision(id)
    // Readers lose it with its validity, not with the timer.
    await site.pool.query(`update announcement set valid_until = now() - interval '1 second' where id = $1`, [id])
    expect((await readerPage(id, head.token)).code).toBe(codes.notFound.code)
    expect((await receipt('sign', id, 1, head.token)).code).toBe(codes.notFound.code)
    expect((await mine(head.token)).map((row) => row['id'])).not.toContain(id)
    expect((await site.act('remind', id, publisher.token)).code).toBe(codes.announcementState.code)
    await site.elapse(id, 'EXPIRE')
    expect((await site.rowOf(id)).state).toBe('EXPIRED')
    expect(await site.revisionFiles(id)).toBe(0)
    expect((await detail(id)).log.map(({ verb, userId }) => [verb, userId]).slice(0, 3)).toEqual([
      ['expire', null],
      ['revise', author.id],
      ['publishOnTime', null],
    ])
  })

  it('is withdrawn with a reason and leaves the pages of its readers', async () => {
    const { author, publisher, head, guard } = site.who
    const id = await site.publish()
    expect((await site.act('withdraw', id, guard.token, { reason: '误发' })).code).toBe(codes.forbidden.code)
    expect(errorFields(await site.act('withdraw', id, publisher.token))).toEqual(['reason'])
    expect((await site.act('withdraw', id, publisher.token, { reason: '误发' })).code).toBe(200)
    expect((await detail(id, author.token)).withdrawReason).toBe('误发')
    expect((await readerPage(id, head.token)).code).toBe(codes.notFound.code)
    expect((await receipt('read', id, 1, head.token)).code).toBe(codes.notFound.code)
  })

  it('reaches nobody beyond the visibility of its author', async () => {
    const { author, publisher, head } = site.who
    const audience = (query: string, token: string) => site.call('GET', `${A}/audience?${query}`, undefined, token)
    expect((await audience('target=ALL', author.token)).code).toBe(codes.announcementBeyond.code)
    const bySchool = `target=SCOPE&schoolIds=${site.first.id},${site.second.id}`
    expect((await audience(bySchool, author.token)).data).toEqual({ people: 3, withoutMobile: 2 })
    expect((await audience('target=ALL', site.adminToken)).code).toBe(200)
    expect(errorFields(await audience(bySchool, head.token))).toEqual(['schoolIds'])
    const { token: narrow } = await site.clerk('announcement:announcement:update')
    await site.all.updateTable('users').set({ deptId: site.second.deptId }).where('username', '=', 'clerk1').execute()
    const ofSecond = `target=SCOPE&schoolIds=${site.second.id}`
    expect((await audience(ofSecond, narrow)).code).toBe(200)
    // A department below the school that its author does not see.
    const office = await makeDept(site.site.db, { name: '教务处', parentId: site.second.deptId })
    expect((await audience(ofSecond, narrow)).code).toBe(codes.announcementBeyond.code)
    await site.site.db.deleteFrom('dept').where('id', '=', office.id).execute()
    const guardRole = await site.all
      .selectFrom('role')
      .select('id')
      .where('code', '=', 'guard')
      .executeTakeFirstOrThrow()
    const guards = `${bySchool}&roleIds=${guardRole.id}`
    expect((await audience(guards, author.token)).data).toMatchObject({ people: 1 })
    const empty = await site.create({ schoolIds: [site.second.id], roleIds: [guardRole.id] })
    expect((await site.act('submit', empty, author.token)).code).toBe(codes.announcementNobody.code)
    const nobody = await site.call('POST', `${A}/create`, site.draft({ schoolIds: [] }), site.adminToken)
    expect(errorFields(nobody)).toEqual(['deptIds'])
    const unseen = await site.call('POST', `${A}/create`, site.draft({ deptIds: [site.there.deptId] }), author.token)
    expect(errorFields(unseen)).toEqual(['deptIds'])
    const expired = await site.call('POST', `${A}/create`, site.draft({ validUntil: inHours(-1) }), publisher.token)
    expect(errorFields(expired)).toEqual(['validUntil'])
  })

  it('is sorted by title, publication and validity, empty values last', async () => {
    const { author } = site.who
    const [first, second] = [
      await site.publish({ title: '排序 B', validUntil: inHours(48) }),
      await site.publish({ title: '排序 A', validUntil: inHours(24) }),
    ]
    const draft = await site.create({ title: '排序 C' })
    const sorted = async (sort: string) => {
      const query = `keyword=${encodeURIComponent('排序')}&pageSize=100${sort && `&orderBy=${sort}`}`
      return pageIn(await site.call('GET', `${A}/page?${query}`, undefined, author.token)).list.map(({ id }) => id)
    }
    expect(await sorted('title')).toEqual([second, first, draft])
    expect(await sorted('-title')).toEqual([draft, first, second])
    expect(await sorted('publishedAt')).toEqual([first, second, draft])
    expect(await sorted('-publishedAt')).toEqual([second, first, draft])
    expect(await sorted('validUntil')).toEqual([second, first, draft])
    expect(await sorted('-validUntil')).toEqual([first, second, draft])
    expect(await sorted('')).toEqual([draft, second, first])
  })

  it('is found by the department or school that its scope contains', async () => {
    const { author } = site.who
    const { bureau, first, second } = site
    const title = '范围'
    const byDept = await site.create({ title, schoolIds: [], deptIds: [bureau.id] })
    const bySchool = await site.create({ title, schoolIds: [second.id] })
    const toAll = await site.create({ title, target: 'ALL', schoolIds: [], deptIds: [] }, site.adminToken)
    const filtered = async (query: string, token = author.token) => {
      const path = `${A}/page?keyword=${encodeURIComponent(title)}&pageSize=100&${query}`
      const found = pageIn(await site.call('GET', path, undefined, token)).list.map(({ id }) => Number(id))
      return found.toSorted((a, b) => a - b)
    }
    expect(await filtered(`reachesSchoolId=${first.id}`)).toEqual([byDept])
    expect(await filtered(`reachesSchoolId=${second.id}`)).toEqual([byDept, bySchool])
    expect(await filtered(`reachesDeptId=${second.deptId}`)).toEqual([byDept, bySchool])
    expect(await filtered(`reachesDeptId=${bureau.id}`)).toEqual([byDept])
    expect(await filtered(`reachesSchoolId=${first.id}`, site.adminToken)).toEqual([byDept, toAll])
    expect(await filtered('target=ALL', site.adminToken)).toEqual([toAll])
    expect(await filtered('target=SCOPE', site.adminToken)).toEqual([byDept, bySchool])
  })

  it('reminds those who are not done, once a day', async () => {
    const { publisher, author, head, guard } = site.who
    const id = await site.publish()
    await receipt('sign', id, 1, head.token)
    const { data: summary } = await site.call('GET', `${A}/receipt-summary?id=${id}`, undefined, author.token)
    expect(summary as unknown as ReceiptSummary[]).toMatchObject([{ people: 2, read: 1, signed: 1 }])
    const reminded = await site.act('remind', id, publisher.token)
    expect([reminded.code, reminded.data]).toEqual([200, 1])
    const deliveries = await site.all
      .selectFrom('delivery')
      .select(['userId', 'state'])
      .where('subjectType', '=', 'ANNOUNCEMENT')
      .where('subjectId', '=', id)
    expect(await deliveries.execute()).toEqual([{ userId: guard.id, state: 'SENT' }])
    expect((await site.act('remind', id, publisher.token)).code).toBe(codes.announcementReminded.code)
    // Reading it closes the reminder.
    await receipt('read', id, 1, guard.token)
    expect(await deliveries.execute()).toEqual([{ userId: guard.id, state: 'READ' }])
    await receipt('sign', id, 1, guard.token)
    await site.pool.query(`update announcement set reminded_at = now() - interval '2 days' where id = $1`, [id])
    expect((await site.act('remind', id, publisher.token)).code).toBe(codes.announcementAllRead.code)
    const toRead = await site.publish({ needsSign: false })
    await receipt('read', toRead, 1, head.token)
    expect((await site.act('remind', toRead, publisher.token)).data).toBe(1)
  })

  it('reminds nobody twice a day when a new edition follows', async () => {
    const { publisher } = site.who
    const id = await site.publish()
    expect((await site.act('remind', id, publisher.token)).data).toBe(2)
    await site.revise(id, { title: '新版' })
    expect((await site.act('remind', id, publisher.token)).code).toBe(codes.announcementReminded.code)
  })

  it('counts readers among those whom it addresses now and the caller sees', async () => {
    const { author, head } = site.who
    const id = await site.publish()
    await receipt('sign', id, 1, head.token)
    const counts = async (token = author.token) => {
      const rows = pageIn(await site.call('GET', `${A}/page?pageSize=100`, undefined, token)).list
      const { audience, readCount, signedCount } = await detail(id, token)
      const figures = { audience, readCount, signedCount }
      expect(rows.find((row) => row['id'] === id)).toMatchObject(figures)
      return Object.values(figures)
    }
    expect(await counts()).toEqual([2, 1, 1])
    // Hired after the publication.
    const late = await site.person(site.first.deptId, 'guard')
    await receipt('read', id, 1, late.token)
    expect(await counts()).toEqual([3, 2, 1])
    // Moved to a school that it does not address.
    await site.all.updateTable('users').set({ deptId: site.second.deptId }).where('id', '=', late.id).execute()
    expect(await counts()).toEqual([2, 1, 1])
    const narrow = await site.clerk('announcement:announcement:query')
    await site.all.updateTable('users').set({ deptId: site.bureau.id }).where('id', '=', narrow.userId).execute()
    expect(await counts(narrow.token)).toEqual([0, 0, 0])
  })

  it('shows who reviewed the published edition while a revision is written, and after it was dropped', async () => {
    const { author } = site.who
    const id = await site.publish()
    const { reviewerName } = await detail(id)
    expect(reviewerName).not.toBeNull()
    const text = { title: '新版', content: '<p>新版</p>', pinned: false, validUntil: null }
    expect((await site.act('revise', id, author.token, text)).code).toBe(200)
    expect((await detail(id)).reviewerName).toBe(reviewerName)
    expect((await site.act('dropRevision', id, author.token)).code).toBe(200)
    expect((await detail(id)).reviewerName).toBe(reviewerName)
  })

  it('is listed to authors and reviewers, and exported with its receipts', async () => {
    const { author, publisher, head, guard } = site.who
    const id = await site.create({ title: '待审公告' })
    const ids = async (query: string, token: string) =>
      pageIn(await site.call('GET', `${A}/page?pageSize=100&${query}`, undefined, token)).list.map((row) => row['id'])
    await site.act('submit', id, author.token)
    expect(await ids('view=TO_REVIEW', publisher.token)).toContain(id)
    expect(await ids('view=TO_REVIEW', author.token)).not.toContain(id)
    expect(await ids('view=MINE', author.token)).toContain(id)
    expect(await ids('', head.token)).not.toContain(id)
    expect((await site.call('GET', `${A}/page`, undefined, guard.token)).code).toBe(codes.forbidden.code)
    const published = await site.publish()
    const sheet = async (path: string) => {
      const { body } = await site.site.app.inject({
        url: `/admin-api${path}`,
        headers: { authorization: `Bearer ${author.token}` },
      })
      return body
    }
    expect(await sheet(`${A}/export?format=csv&keyword=待审公告`)).toContain('待审核')
    expect(await sheet(`/announcement/receipt/export?format=csv&id=${published}`)).toContain('未读')
    const deleted = await site.call('DELETE', `${A}/delete?id=${await site.create()}`, undefined, author.token)
    expect(deleted.code).toBe(200)
    expect((await site.call('DELETE', `${A}/delete?id=${published}`, undefined, author.token)).code).toBe(
      codes.announcementState.code,
    )
  })

  it('is reviewed by nobody who wrote part of it, and tells reviewers and writers', async () => {
    const { author, publisher, colleague, guard } = site.who
    const noticesTo = async ({ id: userId }: { id: number }) => {
      const rows = await site.all
        .selectFrom('noticeUser')
        .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
        .select(['notice.title', 'notice.content'])
        .where('userId', '=', userId)
        .where('notice.title', 'like', '%合写公告')
        .orderBy('notice.id')
        .execute()
      return rows.map(({ title, content }) => `${title?.split('：')[0]}${content?.includes('缺日期') ? '!' : ''}`)
    }
    const id = await site.create({ title: '合写公告' })
    for (const { token } of [colleague, author]) {
      const { version } = await site.rowOf(id)
      const edit = { id, version, content: `<p>第 ${version} 稿</p>` }
      expect((await site.call('PUT', `${A}/update`, edit, token)).code).toBe(200)
    }
    expect((await site.act('submit', id, author.token)).code).toBe(200)
    expect((await site.act('approve', id, colleague.token)).code).toBe(codes.announcementReviewer.code)
    const waiting = `${A}/page?view=TO_REVIEW&pageSize=100`
    const waits = async (token: string) =>
      pageIn(await site.call('GET', waiting, undefined, token)).list.some((row) => row['id'] === id)
    expect([await waits(colleague.token), await waits(publisher.token)]).toEqual([false, true])
    expect((await site.act('return', id, publisher.token, { reason: '缺日期' })).code).toBe(200)
    expect((await site.act('submit', id, author.token)).code).toBe(200)
    expect((await site.act('approve', id, publisher.token)).code).toBe(200)
    expect(await noticesTo(publisher)).toEqual(['公告待审核', '公告待审核'])
    expect(await noticesTo(author)).toEqual(['公告被退回修改!', '公告已通过审核'])
    expect(await noticesTo(colleague)).toEqual(['公告被退回修改!', '公告已通过审核'])
    expect(await noticesTo(guard)).toEqual([])
    // The next edition has writers of its own; its author never reviews it.
    const text = { title: '合写公告', content: '<p>新版</p>', pinned: false, validUntil: null }
    expect((await site.act('revise', id, publisher.token, text)).code).toBe(200)
    expect((await site.act('submitRevision', id, publisher.token)).code).toBe(200)
    expect((await site.act('approveRevision', id, colleague.token)).code).toBe(200)
    expect((await noticesTo(publisher)).at(-1)).toBe('公告修订已发布')
  })
})
