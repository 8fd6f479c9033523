/**
 * A call with the input it needs; `{{name}}` is replaced by a value of an earlier response, and `keep` names its own.
 */
export type Single = {
  call: string
  /** Where it differs from the path: with parameters filled in, and a query. */
  at?: string
  body?: object
  /** A form with one file part of this name. */
  part?: { name: string; file: 'sheet.csv' | 'picture.png'; fields?: Readonly<Record<string, string>> }
  keep?: string
}

const path = (call: string) => call.split(' ')[1] ?? ''
const of = (call: string, more: Omit<Single, 'call'> = {}): Single => ({ call, ...more })
const at = (call: string, query: string, more: Omit<Single, 'call' | 'at'> = {}): Single =>
  of(call, { at: `${path(call)}?${query}`, ...more })

const type = { name: '单项', type: 'single_type', status: 0 }
const entry = { dictType: 'system_user_sex', label: '单项', value: '77', sort: 1, status: 0 }
const user = { nickname: '单', password: 'Maple-river-42' }
const role = { name: '单项', code: 'single_role', sort: 9, status: 0 }
const setting = { category: 'custom', name: '单项', key: 'single.key', value: 'x', visible: true }
const named = { configName: '单项二', configKey: 'single.other', configValue: 'y' }
const csv = { name: 'file', file: 'sheet.csv' } as const
const avatar = { part: { name: 'avatarFile', file: 'picture.png' } } as const

/** Calls that the recorded requests of both APIs leave out, in an order in which each is accepted. */
export const singleCalls: readonly Single[] = [
  of('GET /get-import-template'),
  of('GET /api/v1/users/template'),
  at('GET /export', 'username=admin'),
  at('GET /api/v1/users/export', 'keywords=admin'),
  at('GET /system/user/export-excel', 'format=csv'),
  of('GET /system/user/list-all-simple'),
  of('PUT /profile/update', { body: { sex: 1 } }),
  of('PUT /profile/update-avatar', avatar),
  of('POST /profile/update-avatar', avatar),
  of('POST /system/user/create', { body: { username: 'single.one', ...user }, keep: 'user' }),
  of('PUT /system/user/update', { body: { id: '{{user}}', nickname: '单项' } }),
  of('PUT /system/user/update-status', { body: { id: '{{user}}', status: 1 } }),
  at('DELETE /system/user/delete-list', 'ids={{user}}'),
  of('GET /bully/merchant-user/page'),
  of('GET /bully/merchant-user/export'),
  of('GET /bully/merchant-user/export-excel'),
  of('POST /bully/merchant-user/create', {
    body: { username: 'single.school', ...user, schoolId: '{{school}}' },
  }),
  at('POST /api/v1/users/import', 'deptId=1', { part: csv }),
  at('POST /system/user/import', 'dryRun=true', { part: csv }),

  of('GET /system/role/simple-list'),
  of('GET /system/role/list-all-simple'),
  of('POST /system/role/create', { body: role, keep: 'role' }),
  of('PUT /system/role/update-status', { body: { id: '{{role}}', status: 1 } }),
  at('DELETE /system/role/delete', 'id={{role}}'),
  of('POST /system/role/create', { body: role, keep: 'role' }),
  at('DELETE /system/role/delete-list', 'ids={{role}}'),
  of('GET /system/role/export'),
  of('GET /system/role/export-excel'),

  of('GET /system/menu/simple-list'),
  of('GET /system/dept/simple-list'),
  of('GET /system/dept/list-all-simple'),
  of('POST /system/dept/create', { body: { name: '单项科', parentId: 1, sort: 1 }, keep: 'dept' }),
  at('DELETE /system/dept/delete', 'id={{dept}}'),

  of('GET /system/dict-type/simple-list'),
  of('GET /system/dict-type/list-all-simple'),
  of('GET /system/dict-data/list-all-simple'),
  of('POST /system/dict-type/create', { body: type, keep: 'type' }),
  at('GET /system/dict-type/get', 'id={{type}}'),
  of('PUT /system/dict-type/update', { body: { id: '{{type}}', name: '单项一' } }),
  of('GET /api/v1/dict/{id}/form', { at: '/api/v1/dict/{{type}}/form' }),
  of('PUT /api/v1/dict/{id}', {
    at: '/api/v1/dict/{{type}}',
    body: { name: '单项二', dictCode: type.type, status: 1 },
  }),
  at('DELETE /system/dict-type/delete', 'id={{type}}'),
  of('POST /system/dict-type/create', { body: type, keep: 'type' }),
  at('DELETE /system/dict-type/delete-list', 'ids={{type}}'),
  of('GET /system/dict-type/export'),
  of('POST /system/dict-data/create', { body: entry, keep: 'entry' }),
  at('DELETE /system/dict-data/delete-list', 'ids={{entry}}'),
  of('GET /system/dict-data/export'),

  of('POST /infra/config/create', { body: setting, keep: 'setting' }),
  at('GET /infra/config/get-value-by-key', 'key=single.key'),
  of('GET /infra/config/page'),
  at('GET /infra/config/get', 'id={{setting}}'),
  of('PUT /infra/config/update', { body: { id: '{{setting}}', value: 'z' } }),
  at('DELETE /infra/config/delete', 'id={{setting}}'),
  of('GET /infra/config/export'),
  of('POST /api/v1/config', { body: named, keep: 'setting' }),
  of('GET /api/v1/config/page'),
  of('GET /api/v1/config/{id}/form', { at: '/api/v1/config/{{setting}}/form' }),
  of('PUT /api/v1/config/{id}', { at: '/api/v1/config/{{setting}}', body: { ...named, configValue: 'w' } }),
  of('DELETE /api/v1/config/{id}', { at: '/api/v1/config/{{setting}}' }),
  of('PATCH /api/v1/config'),

  of('GET /system/login-log/page'),
  of('GET /system/login-log/export'),
  of('GET /system/operate-log/page'),
  of('GET /system/operate-log/export'),
  at('GET /api/v1/logs/visit-trend', 'startDate=2026-01-01&endDate=2026-01-07'),
  of('GET /api/v1/logs/visit-stats'),

  of('POST /system/notice/create', { body: { title: '单项', type: '1', content: '<p>x</p>' }, keep: 'notice' }),
  at('DELETE /system/notice/delete', 'id={{notice}}'),
  of('POST /system/notice/create', { body: { title: '单项', type: '1', content: '<p>x</p>' }, keep: 'notice' }),
  at('DELETE /system/notice/delete-list', 'ids={{notice}}'),

  of('POST /infra/file/upload', { part: { name: 'file', file: 'picture.png' } }),
  of('POST /api/v1/files', { part: { name: 'file', file: 'picture.png' }, keep: 'file' }),
  at('DELETE /api/v1/files', 'filePath={{file}}'),
]

/** Calls with a captcha, a code or a password, which the test creates. */
export const proofCalls = [
  'POST /system/auth/send-sms-code',
  'POST /system/auth/sms-login',
  'POST /system/auth/register',
  'GET /api/v1/users/send-verification-code',
  'POST /api/v1/users/send-verification-code',
  'PUT /api/v1/users/mobile',
  'PUT /api/v1/users/email',
  'PUT /profile/update-password',
  'PUT /api/v1/users/password',
] as const
