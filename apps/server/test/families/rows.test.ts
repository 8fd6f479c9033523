import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFullServer, type FullServer } from '../full-server.ts'
import { type Recorded, replayer } from './replay.ts'

// Every field of a row that clients of the two APIs read (wire 1), by its name.

const draft = { title: '字段', type: '1', level: 'L', content: '<p>x</p>' }

let site: FullServer
let browser: ReturnType<typeof replayer>
beforeAll(async () => {
  site = await startFullServer()
  const token = await site.session(site.admin)
  browser = replayer(site, () => token)
  const play = (send: string, body?: object) => browser.play({ does: '', send, body } satisfies Recorded)
  browser.kept['notice'] = await play('POST /system/notice/create', draft)
  await play(`POST /system/notice/push?id=${String(browser.kept['notice'])}`)
  browser.kept['dept'] = await play('POST /api/v1/dept', {
    parentId: 1,
    name: '下级',
    code: 'BELOW',
    sort: 1,
    status: 1,
  })
  browser.kept['admin'] = site.admin
  await play('PUT /system/user/update', { id: site.admin, postIds: [5] })
  const types = (await play('GET /system/dict-type/page?type=system_user_sex')) as { list: { id: number }[] }
  browser.kept['type'] = types.list[0]?.id
})
afterAll(() => site.close())

const user =
  'id username nickname remark deptId deptName postIds email mobile sex avatar status loginIp loginDate createTime'
const menu =
  'id name permission type sort parentId path icon component componentName status visible keepAlive alwaysShow createTime'
const form =
  'id parentId name type routeName routePath component perm visible sort icon redirect keepAlive alwaysShow params'
const role = 'id name code sort status type remark dataScope dataScopeDeptIds createTime'
const type = 'id name type status remark createTime'
const entry = 'id sort label value dictType status colorType cssClass remark createTime'
const dept = 'id name parentId sort leaderUserId phone email status createTime'
const notice = 'id title type content status remark createTime'
const item = 'id username nickname mobile gender avatar email status deptName roleNames createTime'
const userForm = 'id username nickname mobile gender avatar email status deptId roleIds'
const noticeItem = 'id title type level targetType publishStatus publisherName publishTime revokeTime createTime'

const newUser = { username: 'wholerow', nickname: '整行', password: 'Maple-river-42', deptId: 1, postIds: [2] }
const newRole = { name: '整行角色', code: 'whole_row', sort: 1 }

/** `at`: the path of the row in `data`; a branch is the first row with children. */
const reads: readonly (readonly [send: string, at: readonly (string | number)[], fields: string])[] = [
  ['GET /system/auth/get-permission-info', [], 'user roles permissions menus'],
  ['GET /system/auth/get-permission-info', ['user'], 'id nickname avatar deptId'],
  [
    'GET /system/auth/get-permission-info',
    ['menus', 0],
    'id parentId name path component componentName icon visible keepAlive alwaysShow children',
  ],
  ['GET /system/user/page', ['list', 0], user],
  ['GET /system/user/get?id={{admin}}', [], user],
  ['GET /system/user/simple-list', [0], 'id nickname deptId deptName'],
  [
    'GET /profile/get',
    [],
    'id username nickname email mobile sex avatar status loginIp loginDate createTime roles dept posts socialUsers',
  ],
  ['GET /profile/get', ['roles', 0], 'id name'],
  ['GET /profile/get', ['dept'], 'id name'],
  ['GET /profile/get', ['posts', 0], 'id name'],
  ['GET /system/role/page', ['list', 0], role],
  ['GET /system/role/get?id=1', [], role],
  ['GET /system/menu/list', [0], menu],
  ['GET /system/menu/get?id=1', [], menu],
  ['GET /system/menu/list-all-simple', [0], 'id name parentId type'],
  ['GET /system/dict-type/page', ['list', 0], type],
  ['GET /system/dict-data/page', ['list', 0], entry],
  ['GET /system/dict-data/simple-list', [0], 'dictType value label colorType cssClass'],
  ['GET /system/dept/list', [0], dept],
  ['GET /system/dept/simple-list', [0], 'id name parentId'],
  ['GET /system/notice/get?id={{notice}}', [], notice],
  ['GET /api/v1/users/me', [], 'userId username nickname avatar roles perms'],
  ['GET /api/v1/users/options', [0], 'value label'],
  [
    'GET /api/v1/users/page?pageNum=1&pageSize=10&createTime%5B0%5D=2020-01-01&createTime%5B1%5D=2199-12-31',
    ['list', 0],
    item,
  ],
  ['GET /api/v1/users/{{admin}}/form', [], userForm],
  ['GET /api/v1/users/profile', [], 'id username nickname mobile gender avatar email deptName roleNames createTime'],
  [
    'GET /api/v1/menus',
    ['branch'],
    'id parentId name type routeName routePath component sort visible icon redirect perm children',
  ],
  ['GET /api/v1/menus/1/form', [], form],
  ['GET /api/v1/menus/options', ['branch'], 'value label children'],
  ['GET /api/v1/roles/page', ['list', 0], 'id name code status sort createTime'],
  ['GET /api/v1/roles/1/form', [], 'id name code sort status dataScope'],
  ['GET /api/v1/roles/options', [0], 'value label'],
  ['GET /api/v1/dept', ['branch'], 'id parentId name code sort status children createTime'],
  ['GET /api/v1/dict/list', [0], 'name dictCode dictDataList'],
  ['GET /api/v1/dict/list', [0, 'dictDataList', 0], 'value label tagType'],
  ['GET /api/v1/dict/page', ['list', 0], 'id name dictCode status'],
  ['GET /api/v1/dict/{{type}}/form', [], 'id name dictCode status remark'],
  ['GET /api/v1/dict-data/page?dictCode=system_user_sex', ['list', 0], 'id label value sort status tagType'],
  ['GET /api/v1/notices/page', ['list', 0], noticeItem],
  ['GET /api/v1/notices/{{notice}}/form', [], 'id title content type level targetType targetUserIds'],
  ['GET /api/v1/notices/{{notice}}/detail', [], 'id title content type level publishStatus publisherName publishTime'],
  ['GET /api/v1/notices/my-page', ['list', 0], 'id title type level publisherName publishTime isRead'],
]

it.each(reads)('%s at %j has %s', async (send, at, fields) => {
  const data: unknown = await browser.play({ does: '', send })
  const step = (found: unknown, key: string | number): unknown =>
    key === 'branch' ? (found as object[]).find((item) => 'children' in item) : Object(found)[key]
  const row = at.reduce<unknown>(step, data)
  expect(Object.keys(Object(row))).toEqual(expect.arrayContaining(fields.split(' ')))
})

/** The edit dialogs: each reads a row and sends all of it back. */
type Dialog = readonly [read: string, write: string, made?: readonly [send: string, body: object]]
const dialogs: readonly Dialog[] = [
  ['GET /system/user/get?id={{made}}', 'PUT /system/user/update', ['POST /system/user/create', newUser]],
  ['GET /profile/get', 'PUT /profile/update'],
  ['GET /system/role/get?id={{made}}', 'PUT /system/role/update', ['POST /system/role/create', newRole]],
  ['GET /system/menu/get?id=1', 'PUT /system/menu/update'],
  ['GET /system/dept/get?id={{dept}}', 'PUT /system/dept/update'],
  ['GET /system/dict-type/get?id={{type}}', 'PUT /system/dict-type/update'],
  ['GET /system/dict-data/get?id=1', 'POST /system/dict-data/update'],
  ['GET /infra/config/get?id=1', 'PUT /infra/config/update'],
  ['GET /system/notice/get?id={{made}}', 'PUT /system/notice/update', ['POST /system/notice/create', draft]],
  ['GET /api/v1/users/{{user}}/form', 'PUT /api/v1/users/{{user}}'],
  ['GET /api/v1/roles/{{role}}/form', 'PUT /api/v1/roles/{{role}}'],
  ['GET /api/v1/menus/1/form', 'PUT /api/v1/menus/1'],
  ['GET /api/v1/dept/{{dept}}/form', 'PUT /api/v1/dept/{{dept}}'],
  ['GET /api/v1/dict/{{type}}/form', 'PUT /api/v1/dict/{{type}}'],
  ['GET /api/v1/dict-data/1/form', 'PUT /api/v1/dict-data/1'],
  ['GET /api/v1/config/1/form', 'PUT /api/v1/config/1'],
  ['GET /api/v1/users/profile', 'PUT /api/v1/users/profile'],
]

const named = dialogs.map(([read, write, made]) => ({ read, write, made }))
it.each(named)('$read: is accepted whole by $write, but not with an unknown field', async ({ read, write, made }) => {
  if (made) {
    const [send, body] = made
    const id = await browser.play({ does: '', send, body })
    Object.assign(browser.kept, { made: id, [/\/system\/(\w+)\//.exec(send)?.[1] ?? '']: id })
  }
  const row = await browser.play({ does: '', send: read })
  await browser.play({ does: '', send: write, body: row })
  const again = await browser.play({ does: '', send: read })
  expect({ ...again, version: 0, updateTime: 0, updater: 0 }).toEqual({ ...row, version: 0, updateTime: 0, updater: 0 })
  const data = { errors: [expect.objectContaining({ field: 'invented', rule: 'unknown' })] }
  await browser.play({ does: '', send: write, body: { ...row, invented: 1 }, code: 400, data })
})
