import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFullServer, PASSWORD, type FullServer } from '../full-server.ts'
import { uncoveredCalls } from './uncovered-calls.ts'
import { type Recorded, replayer } from './replay.ts'

// The compatibility API: `/api/v1/<entities>`, pageNum and pageSize, status 1 enabled and 0 disabled, forms, dates out
// as text.

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
const id = expect.any(Number)
const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const creates: Readonly<Record<string, string>> = {
  '/api/v1/users': 'user',
  '/api/v1/dept': 'dept',
  '/api/v1/menus': 'menu',
  '/api/v1/roles': 'role',
  '/api/v1/notices': 'notice',
  '/api/v1/dict': 'dict',
  '/api/v1/dict-data': 'entry',
}

const users: Recorded[] = [
  {
    does: 'who is signed in',
    send: 'GET /api/v1/users/me',
    data: some({ username: 'admin', roles: ['super_admin'], perms: expect.arrayContaining(['sys:user:add']) }),
  },
  {
    does: 'values of options are texts',
    send: 'GET /api/v1/users/options',
    data: expect.arrayContaining([{ value: expect.any(String), label: expect.any(String) }]),
  },
  {
    does: 'a user is made by his form, roles and all',
    send: 'POST /api/v1/users',
    body: {
      username: 'formed',
      nickname: '表',
      mobile: '13900002222',
      gender: 1,
      avatar: null,
      status: 1,
      deptId: 1,
      roleIds: [2],
    },
  },
  {
    does: 'comes by page, dates as text, roles by name',
    send: 'GET /api/v1/users/page?pageNum=1&pageSize=10&keywords=%E8%A1%A8&status=1&deptId=1',
    data: page({ username: 'formed', gender: 1, roleNames: expect.any(String), createTime: stamp }),
  },
  {
    does: 'comes back as a form',
    send: 'GET /api/v1/users/{{user}}/form',
    data: some({ username: 'formed', roleIds: [2], status: 1, avatar: null }),
  },
  {
    does: 'is changed',
    send: 'PUT /api/v1/users/{{user}}',
    body: {
      id: '{{user}}',
      username: 'formed',
      nickname: '表二',
      gender: 2,
      avatar: null,
      status: 0,
      deptId: 1,
      roleIds: [3],
    },
    data: null,
  },
  {
    does: 'the same row by the canonical call',
    send: 'GET /system/user/get?id={{user}}',
    data: some({ nickname: '表二', sex: 2, status: 1, mobile: '13900002222' }),
  },
  { does: 'is put in use', send: 'PATCH /api/v1/users/{{user}}/status?status=1', data: null },
  { does: 'gets a password', send: 'PUT /api/v1/users/{{user}}/password/reset?password=Other-river-43', data: null },
  { does: 'a weak one is refused', send: 'PUT /api/v1/users/{{user}}/password/reset?password=123456', code: 400 },
  { does: 'goes with others or not at all', send: 'DELETE /api/v1/users/{{user}},999999', code: 1_002_003_003 },
  { does: 'goes', send: 'DELETE /api/v1/users/{{user}}', data: null },
  {
    does: 'oneself',
    send: 'GET /api/v1/users/profile',
    data: some({ username: 'admin', deptName: expect.any(String) }),
  },
  { does: 'oneself changed', send: 'PUT /api/v1/users/profile', body: { gender: 0 }, data: null },
  {
    does: 'what people did, by page',
    send: 'GET /api/v1/logs/page?pageNum=1&pageSize=10&keywords=update-profile',
    data: page({ module: 'system:user', operator: 'admin', createTime: stamp }),
  },
]

const menus: Recorded[] = [
  {
    does: 'a menu is made by its form',
    send: 'POST /api/v1/menus',
    body: {
      id: undefined,
      parentId: 0,
      name: '家',
      type: 'CATALOG',
      routePath: 'home',
      component: 'Layout',
      visible: 1,
      sort: 80,
      icon: null,
      redirect: null,
      perm: null,
      routeName: null,
      alwaysShow: 0,
      keepAlive: 0,
      params: [],
    },
  },
  {
    does: 'comes back as a form',
    send: 'GET /api/v1/menus/{{menu}}/form',
    data: some({ type: 'CATALOG', routePath: '/home', visible: 1, alwaysShow: 0, component: null }),
  },
  {
    does: 'is changed',
    send: 'PUT /api/v1/menus/{{menu}}',
    body: { id: '{{menu}}', parentId: 0, name: '家门', type: 'CATALOG', routePath: '/home', visible: 0, sort: 81 },
    data: null,
  },
  {
    does: 'the same row by the canonical call',
    send: 'GET /system/menu/get?id={{menu}}',
    data: some({ name: '家门', type: 1, visible: false, path: '/home' }),
  },
  {
    does: 'is offered in a tree',
    send: 'GET /api/v1/menus/options?onlyParent=true',
    data: expect.arrayContaining([{ value: id, label: '家门' }]),
  },
  { does: 'is shown', send: 'PATCH /api/v1/menus/{{menu}}?visible=1', data: null },
  {
    does: 'stands in the tree',
    send: 'GET /api/v1/menus?keywords=%E5%AE%B6%E9%97%A8',
    data: [some({ name: '家门', type: 'CATALOG', visible: 1 })],
  },
  {
    does: 'routes come in the shape of the router',
    send: 'GET /api/v1/menus/routes',
    data: expect.arrayContaining([some({ path: '/system', component: 'Layout', meta: some({ hidden: false }) })]),
  },
  { does: 'goes', send: 'DELETE /api/v1/menus/{{menu}}', data: null },
]

const roles: Recorded[] = [
  {
    does: 'a role is made by its form',
    send: 'POST /api/v1/roles',
    body: { name: '巡查', code: 'PATROL', sort: 3, status: 1, dataScope: 2 },
  },
  {
    does: 'comes by page, with a date as text',
    send: 'GET /api/v1/roles/page?pageNum=1&pageSize=10&keywords=%E5%B7%A1%E6%9F%A5',
    data: page({
      code: 'PATROL',
      status: 1,
      dataScope: 2,
      createTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    }),
  },
  {
    does: 'status means the opposite by the canonical call',
    send: 'GET /system/role/get?id={{role}}',
    data: some({ status: 0, dataScope: 3 }),
  },
  {
    does: 'is changed',
    send: 'PUT /api/v1/roles/{{role}}',
    body: { id: '{{role}}', name: '巡查员', code: 'PATROL', sort: 4, status: 0, dataScope: 2 },
    data: null,
  },
  {
    does: 'comes back as a form',
    send: 'GET /api/v1/roles/{{role}}/form',
    data: { id, name: '巡查员', code: 'PATROL', sort: 4, status: 0, dataScope: 2 },
  },
  { does: 'sees what its form says', send: 'PUT /api/v1/roles/{{role}}', body: { dataScope: 0 }, data: null },
  { does: 'which is kept', send: 'GET /system/role/get?id={{role}}', data: some({ dataScope: 1, name: '巡查员' }) },
  {
    does: 'a scope that has no number is refused',
    send: 'PUT /api/v1/roles/{{role}}',
    body: { dataScope: 4 },
    code: 400,
    data: { errors: [some({ field: 'dataScope' })] },
  },
  { does: 'gets its menus', send: 'PUT /api/v1/roles/{{role}}/menus', body: [1, 2], data: null },
  { does: 'shows its menus', send: 'GET /api/v1/roles/{{role}}/menuIds', data: [1, 2] },
  { does: 'a role nobody has is not found', send: 'PUT /api/v1/roles/999999/menus', body: [1], code: 1_002_002_000 },
  {
    does: 'what is out of use is not offered',
    send: 'GET /api/v1/roles/options',
    data: expect.not.arrayContaining([some({ label: '巡查员' })]),
  },
  { does: 'goes', send: 'DELETE /api/v1/roles/{{role}}', data: null },
]

const dictionaries: Recorded[] = [
  {
    does: 'a dictionary is made by its form',
    send: 'POST /api/v1/dict',
    body: { name: '血型', dictCode: 'blood_type', status: 1, remark: null },
  },
  {
    does: 'an entry is made by its form',
    send: 'POST /api/v1/dict-data',
    body: { dictCode: 'blood_type', label: '甲型', value: 'A', sort: 1, status: 1, tagType: 'success' },
  },
  {
    does: 'and not twice',
    send: 'POST /api/v1/dict-data',
    body: { dictCode: 'blood_type', label: '甲型', value: 'A', sort: 1, status: 1 },
    code: 1_002_007_003,
  },
  {
    does: 'dictionaries come by page',
    send: 'GET /api/v1/dict/page?pageNum=1&pageSize=10&keywords=%E8%A1%80',
    data: page({ dictCode: 'blood_type', status: 1 }),
  },
  {
    does: 'entries come by page',
    send: 'GET /api/v1/dict-data/page?pageNum=1&pageSize=10&dictCode=blood_type',
    data: page({ value: 'A', status: 1, tagType: 'success' }),
  },
  {
    does: 'an entry is read',
    send: 'GET /api/v1/dict-data/{{entry}}/form',
    data: { id, dictCode: 'blood_type', label: '甲型', value: 'A', sort: 1, status: 1, tagType: 'success' },
  },
  {
    does: 'all are read at once',
    send: 'GET /api/v1/dict/list',
    data: expect.arrayContaining([
      { name: '血型', dictCode: 'blood_type', dictDataList: [{ value: 'A', label: '甲型', tagType: 'success' }] },
    ]),
  },
  {
    does: 'one is read as options',
    send: 'GET /api/v1/dict-data/blood_type/options',
    data: [{ value: 'A', label: '甲型', tagType: 'success' }],
  },
  {
    does: 'an entry is changed, its tag cleared by null',
    send: 'PUT /api/v1/dict-data/{{entry}}',
    body: { id: '{{entry}}', dictCode: 'blood_type', label: '甲', value: 'A', sort: 2, status: 0, tagType: null },
    data: null,
  },
  {
    does: 'the same row by the canonical call',
    send: 'GET /system/dict-data/get?id={{entry}}',
    data: some({ dictType: 'blood_type', label: '甲', status: 1, colorType: null }),
  },
  { does: 'a dictionary with entries stays', send: 'DELETE /api/v1/dict/{{dict}}', code: 1_002_006_005 },
  { does: 'an entry goes', send: 'DELETE /api/v1/dict-data/{{entry}}', data: null },
  { does: 'an entry that is gone is not found', send: 'DELETE /api/v1/dict-data/{{entry}}', code: 1_002_007_001 },
  { does: 'then the dictionary goes', send: 'DELETE /api/v1/dict/{{dict}}', data: null },
]

const departments: Recorded[] = [
  {
    does: 'come as a tree, status 1 in use',
    send: 'GET /api/v1/dept?status=1',
    data: expect.arrayContaining([some({ parentId: 0, status: 1, createTime: expect.stringMatching(/^\d{4}-/) })]),
  },
  { does: 'none is out of use', send: 'GET /api/v1/dept?status=0', data: [] },
  {
    does: 'one is made by its form',
    send: 'POST /api/v1/dept',
    body: { parentId: 1, name: '巡防科', code: 'XF001', sort: 1, status: 1 },
  },
  {
    does: 'comes back as a form',
    send: 'GET /api/v1/dept/{{dept}}/form',
    data: { id, parentId: 1, name: '巡防科', code: 'XF001', sort: 1, status: 1 },
  },
  { does: 'is changed', send: 'PUT /api/v1/dept/{{dept}}', body: { name: '巡防处', status: 0 }, data: null },
  {
    does: 'is listed with its code',
    send: 'GET /api/v1/dept?keywords=%E5%B7%A1%E9%98%B2&status=0',
    data: [some({ code: 'XF001' })],
  },
  {
    does: 'is found by its code too',
    send: 'GET /api/v1/dept?keywords=xf00',
    data: [some({ name: '巡防处' })],
  },
  { does: 'goes', send: 'DELETE /api/v1/dept/{{dept}}', data: null },
  {
    does: 'are offered as a tree',
    send: 'GET /api/v1/dept/options',
    data: expect.arrayContaining([some({ value: id, label: expect.any(String) })]),
  },
]

const notices: Recorded[] = [
  {
    does: 'a notice is made by its form',
    send: 'POST /api/v1/notices',
    body: { title: '停电通知', content: '<p>今晚</p>', type: '1', level: 'M', targetType: 1, targetUserIds: [] },
  },
  {
    does: 'comes by page as a draft',
    send: 'GET /api/v1/notices/page?pageNum=1&pageSize=10&title=%E5%81%9C%E7%94%B5&publishStatus=0',
    data: page({ title: '停电通知', publishStatus: 0, publishTime: null, targetType: 1 }),
  },
  {
    does: 'is for somebody now',
    send: 'PUT /api/v1/notices/{{notice}}',
    body: { id: '{{notice}}', title: '停电通知', targetType: 2, targetUserIds: ['1'] },
    data: null,
  },
  {
    does: 'comes back as a form',
    send: 'GET /api/v1/notices/{{notice}}/form',
    data: some({ targetType: 2, targetUserIds: ['1'], level: 'M' }),
  },
  {
    does: 'is seen by whoever administers it',
    send: 'GET /api/v1/notices/{{notice}}/detail',
    data: some({ publishStatus: 0 }),
  },
  { does: 'is published', send: 'PATCH /api/v1/notices/{{notice}}/publish', data: null },
  {
    does: 'reaches whom it is for',
    send: 'GET /api/v1/notices/my-page?pageNum=1&pageSize=10&isRead=false',
    data: page({ title: '停电通知', isRead: 0 }),
  },
  { does: 'all are read', send: 'PUT /api/v1/notices/read-all', data: null },
  { does: 'none is unread', send: 'GET /api/v1/notices/my-page?pageNum=1&pageSize=10&isRead=false', data: page() },
  { does: 'is revoked', send: 'PATCH /api/v1/notices/{{notice}}/revoke', data: null },
  {
    does: 'shows so',
    send: 'GET /api/v1/notices/page?pageNum=1&pageSize=10&publishStatus=-1',
    data: page({ publishStatus: -1, revokeTime: expect.any(String) }),
  },
  { does: 'goes', send: 'DELETE /api/v1/notices/{{notice}}', data: null },
]

describe('the compatibility API', () => {
  it('signs in with a multipart form, and out by DELETE', async () => {
    const headers = { 'tenant-id': '1' }
    const picture = JSON.parse((await site.call('GET', '/api/v1/auth/captcha', { headers })).text).data
    expect(picture).toMatchObject({
      captchaKey: expect.any(String),
      captchaBase64: expect.stringMatching(/^data:image\/\w+/),
    })
    const fields = { username: ' Admin ', password: PASSWORD, captchaKey: picture.captchaKey, captchaCode: 'ABDEF' }
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const sent = {
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
      payload: `${parts.join('')}--b--\r\n`,
    }
    const { code, data } = JSON.parse((await site.call('POST', '/api/v1/auth/login', sent)).text)
    expect({ code, type: data.tokenType }).toEqual({ code: 200, type: 'Bearer' })
    const out = await site.call('DELETE', '/api/v1/auth/logout', { token: data.accessToken, headers })
    expect(JSON.parse(out.text)).toMatchObject({ code: 200 })
  })

  it.each([...users, ...menus, ...roles, ...dictionaries, ...departments, ...notices])(
    '$send: $does',
    async (recorded) => {
      const data = await browser.play(recorded)
      const [method, path = ''] = recorded.send.split(' ')
      const name = method === 'POST' && recorded.code === undefined && creates[path]
      if (name) browser.kept[name] = data
    },
  )

  it('made each of its calls, and all were accepted', () => {
    expect(uncoveredCalls(site, (call) => call.includes('/api/v1/'))).toEqual([])
  })
})
