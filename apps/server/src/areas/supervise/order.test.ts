import { codes } from '@tocsin/contract/codes'
import type { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    expect(next).toMatchObject({ state: 'ISSUED', transferredFrom: id, schoolId: site.second.id })
    expect(await detail(id, head.token)).toMatchObject({ state: 'TRANSFERRED', transferredTo: Number(data) })
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

  it('end with the order', async () => {
    const { issuer, head } = site.who
    const id = await issued()
    await site.act('revoke', id, issuer.token, { reason: '误下达' })
    await site.elapse(id, 'SIGN', 'DUE')
    expect((await detail(id, head.token)).log.map(({ verb }) => verb)).toEqual(['revoke', 'issue'])
  })
})
