import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFullServer, PASSWORD, type FullServer } from '../full-server.ts'
import { uncoveredCalls } from './uncovered-calls.ts'
import { type Recorded, replayer } from './replay.ts'

// The canonical API: `system/<entity>/<verb>`, pageNo and pageSize, status 0 enabled, dates out as milliseconds.

let site: FullServer
let token = ''
let browser: ReturnType<typeof replayer>
beforeAll(async () => {
  site = await startFullServer({ audited: true })
  token = await site.session(site.admin)
  browser = replayer(site, () => token)
})
afterAll(() => site.close())

const some = (more: object) => expect.objectContaining(more)
const page = (...list: object[]) => ({ list: list.map(some), total: list.length })
const ms = expect.any(Number)
/** The name under which the id of a created row is stored. */
const creates: Readonly<Record<string, string>> = {
  '/system/dept/create': 'dept',
  '/system/user/create': 'user',
  '/system/role/create': 'role',
  '/system/menu/create': 'menu',
  '/system/dict-data/create': 'entry',
  '/system/notice/create': 'notice',
}

const window = 'createTime%5B0%5D=2026-01-01+00%3A00%3A00&createTime%5B1%5D=2199-12-31+23%3A59%3A59'

const departments: Recorded[] = [
  {
    does: 'a department is made',
    send: 'POST /system/dept/create',
    body: { name: '测试科', parentId: 1, sort: 5, status: 0, phone: null, email: null },
  },
  {
    does: 'is listed flat',
    send: 'GET /system/dept/list?name=%E6%B5%8B%E8%AF%95%E7%A7%91&status=0',
    data: [some({ name: '测试科', parentId: 1, status: 0, createTime: ms })],
  },
  { does: 'is read for its form', send: 'GET /system/dept/get?id={{dept}}', data: some({ id: ms, sort: 5 }) },
  {
    does: 'is changed, a cleared field as null',
    send: 'PUT /system/dept/update',
    body: { id: '{{dept}}', name: '测试处', parentId: 1, sort: 6, status: 0, phone: null },
    data: true,
  },
]

const roles: Recorded[] = [
  {
    does: 'a role is made',
    send: 'POST /system/role/create',
    body: { name: '值班员甲', code: 'family_duty', sort: 9, status: 0, remark: null },
  },
  {
    does: 'is found by page',
    send: `GET /system/role/page?pageNo=1&pageSize=10&code=family_duty&${window}`,
    data: page({ code: 'family_duty', status: 0, type: 2, dataScope: 3, dataScopeDeptIds: [] }),
  },
  {
    does: 'gets its menus',
    send: 'POST /system/permission/assign-role-menu',
    body: { roleId: '{{role}}', menuIds: [1] },
    data: true,
  },
  { does: 'shows its menus', send: 'GET /system/permission/list-role-menus?roleId={{role}}', data: [1] },
  {
    does: 'gets departments to see',
    send: 'POST /system/permission/assign-role-data-scope',
    body: { roleId: '{{role}}', dataScope: 2, dataScopeDeptIds: ['{{dept}}'] },
    data: true,
  },
  {
    does: 'is changed',
    send: 'PUT /system/role/update',
    body: { id: '{{role}}', name: '值班员乙', code: 'family_duty', sort: 9, status: 1, remark: '停' },
    data: true,
  },
  {
    does: 'shows 1 when it is not in use',
    send: 'GET /system/role/get?id={{role}}',
    data: some({ status: 1, dataScope: 2 }),
  },
  { does: 'is put back in use', send: 'PUT /system/role/update', body: { id: '{{role}}', status: 0 }, data: true },
]

const users: Recorded[] = [
  {
    does: 'a user is made',
    send: 'POST /system/user/create',
    body: {
      username: 'familyone',
      nickname: '家一',
      password: 'Maple-river-42',
      deptId: '{{dept}}',
      email: null,
      mobile: '13900001111',
      sex: 1,
      remark: null,
      postIds: [5, 2],
      avatar: null,
    },
  },
  {
    does: 'cannot be made twice',
    send: 'POST /system/user/create',
    body: { username: 'familyone', nickname: '家一', password: 'Maple-river-42' },
    code: 1_002_003_000,
    msg: '用户账号已经存在',
  },
  {
    does: 'nor with a mobile that somebody has',
    send: 'POST /system/user/create',
    body: { username: 'familytwo', nickname: '家二', password: 'Maple-river-42', mobile: '13900001111' },
    code: 1_002_003_001,
    msg: '手机号已经存在',
  },
  {
    does: 'is found by page, by brackets',
    send: `GET /system/user/page?pageNo=1&pageSize=10&username=familyone&status=0&deptId={{dept}}&${window}`,
    data: page({
      username: 'familyone',
      deptName: '测试处',
      status: 0,
      sex: 1,
      mobile: '13900001111',
      postIds: [2, 5],
      createTime: ms,
    }),
  },
  {
    does: 'is changed by the odd address',
    send: 'PUT /admin-user/update',
    body: { id: '{{user}}', nickname: '家壹', mobile: null, sex: 2, postIds: null, avatar: null, password: null },
    data: true,
  },
  {
    does: 'was cleared by null, and kept what was not said',
    send: 'GET /system/user/get?id={{user}}',
    data: some({ nickname: '家壹', mobile: null, sex: 2, username: 'familyone', postIds: [], avatar: null }),
  },
  {
    does: 'is offered by name',
    send: 'GET /system/user/simple-list?keywords=familyone&pageSize=5',
    data: [some({ nickname: '家壹', deptName: '测试处' })],
  },
  {
    does: 'gets a role',
    send: 'POST /system/permission/assign-user-role',
    body: { userId: '{{user}}', roleIds: ['{{role}}'] },
    data: true,
  },
  { does: 'shows its roles', send: 'GET /system/permission/list-user-roles?userId={{user}}', data: [ms] },
  { does: 'is put out of use by 1', send: 'PUT /update-status', body: { id: '{{user}}', status: 1 }, data: true },
  {
    does: 'gets another password',
    send: 'PUT /system/user/update-password',
    body: { id: '{{user}}', password: 'Other-river-43' },
    data: true,
  },
  {
    does: 'a field is refused by its name',
    send: 'PUT /admin-user/update',
    body: { id: '{{user}}', sex: 9 },
    code: 400,
    data: { errors: [some({ field: 'sex' })] },
  },
  {
    does: 'a post is refused that the dictionary does not have',
    send: 'PUT /admin-user/update',
    body: { id: '{{user}}', postIds: [99] },
    code: 400,
    data: { errors: [some({ field: 'postIds', message: '岗位不是可选的值' })] },
  },
  {
    does: 'an account of a school brings the same, and is refused for its school only',
    send: 'POST /bully/merchant-user/create',
    body: {
      username: 'familyschool',
      nickname: '校',
      password: 'Maple-river-42',
      schoolId: 999_999,
      postIds: [],
      avatar: null,
    },
    code: 404,
  },
  {
    does: 'oneself, whole',
    send: 'GET /profile/get',
    data: some({ username: 'admin', roles: [some({ id: ms })], dept: some({ id: ms }), posts: [], socialUsers: [] }),
  },
  { does: 'goes', send: 'DELETE /system/user/delete?id={{user}}', data: true },
  { does: 'a page too large is refused', send: 'GET /system/user/page?pageNo=1&pageSize=1000', code: 400 },
]

const menus: Recorded[] = [
  {
    does: 'a menu is made',
    send: 'POST /system/menu/create',
    body: {
      parentId: 0,
      name: '家族',
      type: 1,
      sort: 90,
      path: '/family',
      icon: 'x',
      status: 0,
      visible: true,
      keepAlive: true,
      alwaysShow: true,
      permission: null,
      component: null,
      componentName: null,
    },
  },
  {
    does: 'is listed flat',
    send: 'GET /system/menu/list?name=%E5%AE%B6%E6%97%8F&status=0',
    data: [some({ name: '家族', type: 1, parentId: 0, visible: true, status: 0 })],
  },
  {
    does: 'is offered',
    send: 'GET /system/menu/list-all-simple',
    data: expect.arrayContaining([some({ name: '家族', parentId: 0, type: 1 })]),
  },
  {
    does: 'is changed',
    send: 'PUT /system/menu/update',
    body: { id: '{{menu}}', parentId: 0, name: '家族二', type: 1, sort: 91, path: '/family', status: 1 },
    data: true,
  },
  {
    does: 'is read',
    send: 'GET /system/menu/get?id={{menu}}',
    data: some({ name: '家族二', status: 1, keepAlive: true }),
  },
  { does: 'goes', send: 'DELETE /system/menu/delete?id={{menu}}', data: true },
]

const dictionaries: Recorded[] = [
  {
    does: 'types come by page',
    send: 'GET /system/dict-type/page?pageNo=1&pageSize=10&type=system_user_sex&status=0',
    data: page({ type: 'system_user_sex', status: 0 }),
  },
  {
    does: 'an entry is made',
    send: 'POST /system/dict-data/create',
    body: {
      dictType: 'system_user_sex',
      label: '保密',
      value: '9',
      sort: 9,
      status: 0,
      colorType: 'info',
      cssClass: null,
      remark: null,
    },
  },
  {
    does: 'is among all entries in use',
    send: 'GET /system/dict-data/simple-list',
    data: expect.arrayContaining([
      { dictType: 'system_user_sex', value: '9', label: '保密', labelEn: null, colorType: 'info', cssClass: null },
    ]),
  },
  {
    does: 'is changed by POST',
    send: 'POST /system/dict-data/update',
    body: { id: '{{entry}}', dictType: 'system_user_sex', label: '保密', value: '9', sort: 8, status: 1 },
    data: true,
  },
  { does: 'is changed by PUT', send: 'PUT /system/dict-data/update', body: { id: '{{entry}}', sort: 7 }, data: true },
  {
    does: 'comes by page',
    send: 'GET /system/dict-data/page?pageNo=1&pageSize=10&dictType=system_user_sex&label=%E4%BF%9D%E5%AF%86&status=1',
    data: page({ value: '9', sort: 7, status: 1 }),
  },
  { does: 'is read', send: 'GET /system/dict-data/get?id={{entry}}', data: some({ value: '9' }) },
  { does: 'goes', send: 'DELETE /system/dict-data/delete?id={{entry}}', data: true },
]

const notices: Recorded[] = [
  {
    does: 'a notice is made',
    send: 'POST /system/notice/create',
    body: { title: '家族通知', type: '1', content: '<p>x</p>', status: 1 },
  },
  {
    does: 'comes by page',
    send: 'GET /system/notice/page?pageNo=1&pageSize=10&title=%E5%AE%B6%E6%97%8F&status=1',
    data: page({ title: '家族通知', status: 1, target: 'ALL', state: 'DRAFT' }),
  },
  { does: 'is read', send: 'GET /system/notice/get?id={{notice}}', data: some({ content: '<p>x</p>' }) },
  {
    does: 'is changed and published by its form',
    send: 'PUT /system/notice/update',
    body: { id: '{{notice}}', title: '家族通知', type: '2', content: '<p>y</p>', status: 0 },
    data: true,
  },
  {
    does: 'is seen to be',
    send: 'GET /system/notice/get?id={{notice}}',
    data: some({ status: 0, state: 'PUBLISHED' }),
  },
  { does: 'is pushed', send: 'POST /system/notice/push?id={{notice}}', data: true },
  { does: 'nobody pushes another', send: 'POST /system/notice/push?id=999999', code: 1_002_008_001 },
  {
    does: 'reaches as a message',
    send: 'GET /system/notify-message/my-page?pageNo=1&pageSize=10&readStatus=false',
    data: page({ templateContent: '家族通知', readStatus: false, createTime: ms }),
  },
  {
    does: 'is among the latest',
    send: 'GET /system/notify-message/get-unread-list',
    data: [some({ templateNickname: expect.any(String) })],
  },
  { does: 'is counted', send: 'GET /system/notify-message/get-unread-count', data: 1 },
  { does: 'is read as a message', send: 'PUT /system/notify-message/update-read?ids={{notice}}', data: true },
  { does: 'all are read', send: 'PUT /system/notify-message/update-all-read', data: true },
  { does: 'none is unread', send: 'GET /system/notify-message/get-unread-count', data: 0 },
  {
    does: 'is not deleted while it is published',
    send: 'DELETE /system/notice/delete?id={{notice}}',
    code: 1_002_008_010,
  },
]

describe('the canonical API', () => {
  it('signs in with JSON, refreshes without a token, signs out with an empty body', async () => {
    const json = async (...given: Parameters<FullServer['call']>) => JSON.parse((await site.call(...given)).text)
    const headers = { 'tenant-id': '1', 'content-type': 'application/json;charset=utf-8' }
    const { data: picture } = await json('GET', '/api/v1/auth/captcha', { headers })
    const body = { username: 'admin', password: PASSWORD, captchaKey: picture.captchaKey, captchaCode: 'ABDEF' }
    const { data } = await json('POST', '/system/auth/login', { headers, payload: JSON.stringify(body) })
    expect(data).toEqual({
      tokenType: 'Bearer',
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresTime: ms,
      userId: site.admin,
      mustChangePassword: false,
    })
    const refreshed = await json('POST', `/system/auth/refresh-token?refreshToken=${data.refreshToken}`, { headers })
    expect(refreshed.data).toMatchObject({ userId: site.admin, expiresTime: ms })
    const unknown = await json('POST', '/system/auth/refresh-token?refreshToken=never-given', { headers })
    expect(unknown).toMatchObject({ code: 400, msg: '无效的刷新令牌' })
    const { accessToken } = refreshed.data
    expect(await json('POST', '/system/auth/logout', { token: accessToken, headers, payload: '' })).toMatchObject({
      code: 200,
      data: true,
    })
    expect(await json('GET', '/system/auth/get-permission-info', { token: accessToken, headers })).toMatchObject({
      code: 401,
    })
  })

  it('returns the signed-in user: leaves of the menu have null for children', async () => {
    const info = await browser.play({ does: '', send: 'GET /system/auth/get-permission-info' })
    expect(Object.keys(info)).toEqual(expect.arrayContaining(['user', 'roles', 'permissions', 'menus']))
    const leaves = (nodes: { children: typeof nodes | null }[]): unknown[] =>
      nodes.flatMap(({ children }) => (children ? leaves(children) : [children]))
    expect(new Set(leaves(info.menus))).toEqual(new Set([null]))
    expect(info.permissions).toEqual(expect.arrayContaining(['system:user:create', 'sys:user:add']))
  })

  it.each([...departments, ...roles, ...users, ...menus, ...dictionaries, ...notices])(
    '$send: $does',
    async (recorded) => {
      const data = await browser.play(recorded)
      const name = recorded.code === undefined && creates[recorded.send.split(' ')[1] ?? '']
      if (name) browser.kept[name] = data
    },
  )

  it('returns the error of a file call as an envelope with its content type', async () => {
    const plain = { headers: { 'tenant-id': '1' } }
    const file = await site.call('GET', '/export?username=admin', { token, ...plain })
    expect(file.type).not.toContain('application/json')
    expect(await site.call('GET', '/export?status=7', { token, ...plain })).toMatchObject({
      status: 200,
      type: 'application/json; charset=utf-8',
      text: expect.stringContaining('"code":400'),
    })
    expect(await site.call('GET', '/export', plain)).toMatchObject({
      status: 200,
      type: 'application/json; charset=utf-8',
      text: expect.stringContaining('"code":401'),
    })
  })

  it('made each of its calls, and all were accepted', () => {
    expect(uncoveredCalls(site, (call) => !call.includes('/api/v1/'))).toEqual([])
  })
})
