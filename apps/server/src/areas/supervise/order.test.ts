import { codes } from '@tocsin/contract/codes'
import type { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept } from '../../../seed/fixtures.ts'
import { errorFields, pageIn } from '../../../test/admin-server.ts'
import { inDays, type SuperviseServer, startSuperviseServer } from '../../../test/supervise-server.ts'

let site: SuperviseServer
beforeAll(async () => {
  site = await startSuperviseServer()
})
afterAll(() => site.end())

const O = '/supervise/order'
const detail = async (id: number, token: string) =>
  (await site.call('GET', `${O}/get?id=${id}`, undefined, token)).data as unknown as SupervisionOrderDetail
const ids = async (query: string, token: string) =>
  pageIn(await site.call('GET', `${O}/page?pageSize=100&${query}`, undefined, token)).list.map(({ id }) => id)
const issued = async (more: object = {}) => {
  const id = await site.create(more)
  expect((await site.act('issue', id, site.who.issuer.token)).code).toBe(200)
  return id
}

describe('a supervision order', () => {
  it('goes from its draft to its evaluation, with a timeline, an audit and a notice to each side', async () => {
    const { issuer, reviewer, head, safety } = site.who
    const id = await issued({ responsibleUserId: head.id })
    expect((await site.rowOf(id)).no).toMatch(/^DB20\d{6}-\d{4}$/)
    for (const [verb, token, more] of [
      ['sign', head.token, {}],
      ['progress', safety.token, { text: '已清理一半', doneNodes: [0] }],
      ['submit', head.token, { text: '清理完毕' }],
      ['return', issuer.token, { reason: '缺照片' }],
      ['progress', head.token, { text: '补拍' }],
      ['submit', head.token, { text: '已补照片' }],
      ['conclude', reviewer.token, { text: '属实' }],
      ['evaluate', issuer.token, { score: 4 }],
    ] as const)
      expect((await site.act(verb, id, token, more)).code, verb).toBe(200)
    const order = await detail(id, head.token)
    expect(order).toMatchObject({ state: 'EVALUATED', light: null, evaluation: 4 })
    expect(order.nodes[0]?.doneAt).not.toBeNull()
    expect(order.log.map(({ userAccount }) => userAccount)).not.toContain(null)
    expect(order.log.map(({ verb }) => verb).toReversed()).toEqual([
      'issue',
      'sign',
      'progress',
      'submit',
      'return',
      'progress',
      'submit',
      'conclude',
      'evaluate',
    ])
    expect(await site.audited('supervise_order', id)).toContain('supervise:order:conclude')
    expect(await site.noticesTo(head.id)).toEqual(['新的督办单', '督办单被退回', '督办单已办结'])
    expect(await site.noticesTo(issuer.id)).toContain('督办单待复核')
  })

  it('separates issuer, assignee and concluder', async () => {
    const { issuer, reviewer, head, safety } = site.who
    const mine = { schoolId: null, responsibleDeptId: site.bureau.id, responsibleUserId: issuer.id }
    const refused = await site.call('POST', `${O}/create`, site.draft(mine), issuer.token)
    expect(refused.code).toBe(codes.orderIssuerResponsible.code)
    // A draft of a colleague whose assignee is its issuer.
    const theirs = await site.create({ ...mine }, reviewer.token)
    expect((await site.act('issue', theirs, issuer.token)).code).toBe(codes.orderIssuerResponsible.code)
    const inside = await issued({ schoolId: null, responsibleDeptId: site.bureau.id })
    expect((await site.act('sign', inside, issuer.token)).code).toBe(codes.orderIssuerResponsible.code)
    expect((await site.act('sign', inside, reviewer.token)).code).toBe(200)
    expect((await site.act('progress', inside, reviewer.token, { text: '办理' })).code).toBe(200)
    expect((await site.act('submit', inside, reviewer.token, { text: '办完' })).code).toBe(200)
    for (const { token } of [issuer, reviewer])
      expect((await site.act('conclude', inside, token)).code).toBe(codes.orderConcluder.code)
    // Who reported progress or submitted it before does not judge what another person submits.
    const { token: colleague } = await site.person(site.bureau.id, 'edu_bureau')
    const again = await issued({ schoolId: null, responsibleDeptId: site.bureau.id })
    expect((await site.act('sign', again, colleague)).code).toBe(200)
    expect((await site.act('progress', again, reviewer.token, { text: '办理' })).code).toBe(200)
    expect((await site.act('submit', again, colleague, { text: '办完' })).code).toBe(200)
    expect((await site.act('conclude', again, reviewer.token)).code).toBe(codes.orderConcluder.code)
    const { token: judge } = await site.person(site.bureau.id, 'edu_bureau')
    expect((await site.act('conclude', again, judge)).code).toBe(200)
    const id = await issued()
    expect((await site.act('sign', id, reviewer.token)).code).toBe(codes.orderNotResponsible.code)
    expect((await site.act('sign', id, safety.token)).code).toBe(200)
    expect((await site.act('revoke', id, head.token, { reason: '不要' })).code).toBe(codes.forbidden.code)
  })

  it('is visible to the issuing side only until it is issued', async () => {
    const { issuer, reviewer, head, other, stranger } = site.who
    const id = await site.create()
    expect(await ids('state=DRAFT', reviewer.token)).toContain(id)
    expect(await ids('', head.token)).not.toContain(id)
    await site.act('issue', id, issuer.token)
    expect(await ids('view=MINE', head.token)).toContain(id)
    expect((await site.act('sign', id, other.token)).code).toBe(codes.notFound.code)
    for (const { token } of [other, stranger]) {
      expect(await ids('', token)).not.toContain(id)
      expect((await site.call('GET', `${O}/get?id=${id}`, undefined, token)).code).toBe(codes.notFound.code)
    }
  })

  it('is sorted by number, unit, due date and remaining time; who waits for nobody is last', async () => {
    const { issuer, head, other } = site.who
    await site.all.updateTable('dept').set({ name: '甲校' }).where('id', '=', site.first.deptId).execute()
    await site.all.updateTable('dept').set({ name: '乙校' }).where('id', '=', site.second.deptId).execute()
    const late = await issued({ title: '排序甲', dueAt: inDays(9) })
    const soon = await issued({ title: '排序乙', dueAt: inDays(4), schoolId: site.second.id })
    const submitted = await issued({ title: '排序丙', dueAt: inDays(3), schoolId: site.second.id })
    for (const verb of ['sign', 'progress', 'submit'] as const)
      expect((await site.act(verb, submitted, other.token, verb === 'sign' ? {} : { text: '办理' })).code).toBe(200)
    const keyword = `keyword=${encodeURIComponent('排序')}`
    const sorted = (sort: string) => ids(`${keyword}&orderBy=${sort}`, issuer.token)
    expect(await sorted('no')).toEqual([late, soon, submitted])
    expect(await sorted('-no')).toEqual([submitted, soon, late])
    expect(await sorted('dueAt')).toEqual([submitted, soon, late])
    expect(await sorted('-dueAt')).toEqual([late, soon, submitted])
    expect(await sorted('remaining')).toEqual([soon, late, submitted])
    expect(await sorted('-remaining')).toEqual([late, soon, submitted])
    const [up, down] = [await sorted('responsibleName'), await sorted('-responsibleName')]
    expect([up.indexOf(late), down.indexOf(late)].toSorted((a, b) => a - b)).toEqual([0, 2])
    expect(await ids(`${keyword}&orderBy=-no&pageNo=1`, head.token)).toEqual([late])
    const refused = await site.call('GET', `${O}/page?orderBy=title`, undefined, issuer.token)
    expect(errorFields(refused)).toEqual(['orderBy'])
  })

  it('rejects inconsistent dates, invisible references, and a stale version', async () => {
    const { issuer, stranger } = site.who
    const post = async (more: object, token = issuer.token) =>
      errorFields(await site.call('POST', `${O}/create`, site.draft(more), token))
    expect(await post({ signDueAt: inDays(9) })).toEqual(['signDueAt'])
    expect(await post({ nodes: [{ name: '复查', dueAt: inDays(9) }] })).toEqual(['nodes'])
    expect(await post({}, stranger.token)).toEqual(['schoolId'])
    expect(await post({ schoolId: null })).toEqual(['responsibleDeptId'])
    expect(await post({ responsibleUserId: stranger.id })).toEqual(['responsibleUserId'])
    expect(await post({ subjectType: 'SCHOOL', subjectId: 999_999 })).toEqual(['subjectId'])
    const id = await site.create()
    const edit = { id, version: 1, title: '消防通道堵塞' }
    expect((await site.call('PUT', `${O}/update`, edit, issuer.token)).code).toBe(200)
    expect((await site.call('PUT', `${O}/update`, edit, issuer.token)).code).toBe(codes.stale.code)
    expect((await site.call('DELETE', `${O}/delete?id=${id}`, undefined, issuer.token)).code).toBe(200)
    const late = await site.create({ dueAt: inDays(-1), signDueAt: null, nodes: [] })
    expect(errorFields(await site.act('issue', late, issuer.token))).toEqual(['dueAt'])
  })

  it('is extended at most twice, before it is due, by the issuing side', async () => {
    const { issuer, head } = site.who
    const id = await issued()
    const ask = (days: number) =>
      site.act('requestExtension', id, head.token, { reason: '缺料', newDueAt: inDays(days), text: '已拆除' })
    expect((await ask(9)).code).toBe(codes.orderState.code)
    await site.act('sign', id, head.token)
    expect(errorFields(await ask(3))).toEqual(['newDueAt'])
    expect((await ask(9)).code).toBe(200)
    expect((await ask(10)).code).toBe(codes.orderExtensionPending.code)
    expect(await ids('view=TO_REVIEW', issuer.token)).toContain(id)
    expect((await site.act('approveExtension', id, head.token)).code).toBe(codes.forbidden.code)
    expect((await site.act('approveExtension', id, issuer.token)).code).toBe(200)
    expect((await site.rowOf(id)).dueAt.getTime()).toBeGreaterThan(inDays(8))
    expect((await ask(12)).code).toBe(200)
    expect((await site.act('refuseExtension', id, issuer.token, { reason: '太久' })).code).toBe(200)
    // A declined request does not count.
    expect((await ask(12)).code).toBe(200)
    expect((await site.act('approveExtension', id, issuer.token)).code).toBe(200)
    expect((await ask(14)).code).toBe(codes.orderExtensionTwice.code)
  })

  it('is passed on as another order, issued at once', async () => {
    const { issuer, head, other } = site.who
    const id = await issued({ subjectType: 'SCHOOL', subjectId: site.first.id })
    const same = await site.act('transfer', id, issuer.token, { schoolId: site.first.id, reason: '原单位' })
    expect(same.code).toBe(codes.orderSameParty.code)
    const { data } = await site.act('transfer', id, issuer.token, { schoolId: site.second.id, reason: '属地' })
    const next = await detail(Number(data), other.token)
    expect(next).toMatchObject({ state: 'ISSUED', schoolId: site.second.id })
    expect(await detail(id, head.token)).toMatchObject({ state: 'TRANSFERRED' })
    expect(await detail(Number(data), issuer.token)).toMatchObject({ transferredFrom: id })
    expect(await detail(id, issuer.token)).toMatchObject({ transferredTo: Number(data) })
    // Neither school can open the order of the other one.
    expect([next.transferredFrom, (await detail(id, head.token)).transferredTo]).toEqual([null, null])
  })

  it('is passed on with a new due date, its attachments and all reminders when it is overdue', async () => {
    const { issuer, head, other } = site.who
    const id = await issued({
      responsibleUserId: head.id,
      attachments: [{ fileId: await site.upload('堆放.png'), note: '三楼' }],
    })
    await site.act('sign', id, head.token)
    await site.pool.query(
      `update supervise_order set issued_at = now() - interval '6 days', sign_due_at = now() - interval '4 days',
        due_at = now() - interval '1 day', nodes = '[]' where id = $1`,
      [id],
    )
    const pass = (more: object) =>
      site.act('transfer', id, issuer.token, { schoolId: site.second.id, reason: '属地', ...more })
    expect(errorFields(await pass({}))).toEqual(['dueAt'])
    expect(errorFields(await pass({ dueAt: inDays(-0.5) }))).toEqual(['dueAt'])
    const { data } = await pass({ dueAt: inDays(10) })
    const next = await detail(Number(data), other.token)
    expect(next).toMatchObject({ light: 'GREEN', attachments: [{ name: '堆放.png', note: '三楼' }] })
    expect(await site.reminders(Number(data))).toEqual({ SIGN: 2, YELLOW: 7, DUE: 10, D1: 11, D3: 13 })
    expect(await site.noticesTo(head.id)).toContain('督办单已转办')
  })

  it('is not extended to a date that has passed when the answer comes late', async () => {
    const { issuer, head } = site.who
    const id = await issued()
    await site.act('sign', id, head.token)
    const wanted = { reason: '缺料', newDueAt: inDays(9), text: '已拆除' }
    expect((await site.act('requestExtension', id, head.token, wanted)).code).toBe(200)
    await site.pool.query(
      `update supervise_order set due_at = now() - interval '2 days', extension_to = now() - interval '1 day' where id = $1`,
      [id],
    )
    expect((await site.act('approveExtension', id, issuer.token)).code).toBe(codes.orderExtensionPast.code)
    expect((await site.act('refuseExtension', id, issuer.token, { reason: '已过期' })).code).toBe(200)
    expect((await site.act('revoke', id, issuer.token, { reason: '另行下达' })).code).toBe(200)
  })
})

describe('notices of an order', () => {
  it('go upward to the superior department itself, never to another district, when it is three days overdue', async () => {
    const superior = await site.person(site.here.deptId, 'edu_bureau')
    // Sees its own department alone, and so no order of a bureau below it.
    const { userId: narrow } = await site.clerk('supervise:order:query', 'supervise:order:conclude')
    const district = await makeDept(site.site.db, { name: '邻区教育局', parentId: site.here.deptId })
    const neighbour = await site.person(district.id, 'edu_bureau')
    const id = await issued({ schoolId: site.second.id })
    await site.elapse(id, 'D3')
    expect(await site.noticesTo(superior.id)).toEqual(['督办单逾期 3 天'])
    for (const userId of [neighbour.id, narrow]) expect(await site.noticesTo(userId)).toEqual([])
  })

  it('go to the people of a bureau without a named person, not to the schools below it', async () => {
    const superior = await site.person(site.here.deptId, 'edu_bureau')
    const bureau = await site.person(site.bureau.id, 'edu_bureau')
    const school = await site.person(site.first.deptId, 'school_admin')
    const id = await site.create({ schoolId: null, responsibleDeptId: site.bureau.id }, superior.token)
    expect((await site.act('issue', id, superior.token)).code).toBe(200)
    expect(await site.noticesTo(bureau.id)).toEqual(['新的督办单'])
    expect(await site.noticesTo(school.id)).toEqual([])
  })

  it('go to the school when the named person cannot open orders', async () => {
    const guard = await site.person(site.first.deptId, 'guard')
    const school = await site.person(site.first.deptId, 'school_admin')
    await issued({ responsibleUserId: guard.id })
    expect(await site.noticesTo(guard.id)).toEqual([])
    expect(await site.noticesTo(school.id)).toEqual(['新的督办单'])
  })
})

describe('lights and reminders', () => {
  it('turn yellow and red by the dates, and remind each once', async () => {
    const { issuer, head } = site.who
    const id = await issued({ responsibleUserId: head.id })
    expect((await detail(id, issuer.token)).light).toBe('GREEN')
    await site.elapse(id, 'SIGN')
    await site.act('sign', id, head.token)
    await site.pool.query(
      `update supervise_order set due_at = now() + interval '1 hour', issued_at = now() - interval '4 days' where id = $1`,
      [id],
    )
    expect(await ids('view=DUE_SOON', head.token)).toEqual([id])
    await site.elapse(id, 'YELLOW')
    await site.pool.query(`update supervise_order set due_at = now() - interval '1 hour' where id = $1`, [id])
    expect(await ids('light=RED', issuer.token)).toEqual([id])
    expect(await ids(`light=RED&districtId=${site.bureau.id}`, issuer.token)).toEqual([id])
    expect(await ids(`districtId=${site.second.deptId}`, issuer.token)).not.toContain(id)
    for (const step of ['DUE', 'D1', 'D3']) await site.elapse(id, step)
    await site.elapse(id, 'DUE', 'D1', 'D3')
    const { log } = await detail(id, issuer.token)
    expect(log.map(({ verb }) => verb).toReversed()).toEqual([
      'issue',
      'remindSign',
      'sign',
      'remindSoon',
      'remindDue',
      'remindLate',
      'remindUpward',
    ])
    expect((await site.noticesTo(head.id)).filter((title) => title?.includes('逾期'))).toHaveLength(2)
    const { data } = await site.call('GET', `${O}/board`, undefined, issuer.token)
    expect(data).toContainEqual({
      deptId: site.bureau.id,
      deptName: '教育局',
      state: 'SIGNED',
      light: 'RED',
      count: 1,
    })
  })

  it('go on from the days of delay before the review when the work is sent back', async () => {
    const { issuer, head } = site.who
    const superior = await site.person(site.here.deptId, 'edu_bureau')
    const submitted = async (due: number, at: number) => {
      const id = await issued({ nodes: [] })
      await site.act('sign', id, head.token)
      // The timeline takes new rows alone, so that the submission of days ago is written, not moved.
      await site.pool.query(
        `with submitted as (
           update supervise_order set state = 'SUBMITTED', submitted_by = $4, due_at = now() - make_interval(days => $2),
             submitted_at = now() - make_interval(days => $3) where id = $1 returning id, state, submitted_at)
         insert into supervise_order_log (order_id, at, user_id, verb, to_state)
         select id, submitted_at, $4, 'submit', state from submitted`,
        [id, due, at, head.id],
      )
      await site.elapse(id, 'YELLOW', 'DUE', 'D1', 'D3')
      expect(await site.reminders(id)).toEqual({ SIGN: 1 })
      expect((await site.act('return', id, issuer.token, { reason: '缺照片' })).code).toBe(200)
      return id
    }
    // Submitted two days late: those days count.
    expect(await site.reminders(await submitted(4, 2))).toEqual({ D3: 1 })
    const id = await submitted(5, 6)
    expect(await site.reminders(id)).toEqual({ D1: 1, D3: 3 })
    for (const step of ['D1', 'D3']) await site.elapse(id, step)
    expect((await detail(id, issuer.token)).log.map(({ verb }) => verb).slice(0, 3)).toEqual([
      'remindUpward',
      'remindLate',
      'return',
    ])
    expect(await site.noticesTo(superior.id)).toEqual(['督办单逾期 5 天'])
  })

  it('end with the order', async () => {
    const { issuer, head } = site.who
    const id = await issued()
    await site.act('revoke', id, issuer.token, { reason: '误下达' })
    await site.elapse(id, 'SIGN', 'DUE')
    expect((await detail(id, head.token)).log.map(({ verb }) => verb)).toEqual(['revoke', 'issue'])
  })
})
