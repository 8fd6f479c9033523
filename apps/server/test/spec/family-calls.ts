/** A call of one of the two APIs outside of the specification's list, with its permission. */
type Call = { call: string; may: string }

const group = (may: string, calls: readonly string[]): Call[] => calls.map((call) => ({ call, may }))

/**
 * The calls of the screens of both APIs that section 7 does not list: users, roles, menus, departments, dictionaries,
 * settings, logs, notices, messages and files; the code generator's are its own.
 */
export const familyCalls: readonly Call[] = [
  ...group('open', ['DELETE /api/v1/auth/logout', 'POST /system/auth/login', 'POST /system/auth/register']),
  ...group('open', ['POST /system/auth/send-sms-code', 'POST /system/auth/sms-login']),
  ...group('token', ['POST /api/v1/users/send-verification-code', 'GET /api/v1/users/template']),
  ...group('token', ['GET /api/v1/users/profile', 'PUT /api/v1/users/profile', 'PUT /api/v1/users/password']),
  ...group('token', ['GET /system/user/simple-list', 'GET /system/user/list-all-simple']),
  ...group('token', ['PUT /profile/update-avatar', 'POST /profile/update-avatar']),
  ...group('system:user:list', ['GET /api/v1/users/page']),
  ...group('system:user:query', ['GET /api/v1/users/{id}/form']),
  ...group('system:user:create', ['POST /api/v1/users']),
  ...group('system:user:update', ['PUT /api/v1/users/{id}', 'PATCH /api/v1/users/{id}/status']),
  ...group('system:user:update', ['PUT /system/user/update', 'PUT /system/user/update-status']),
  ...group('system:user:delete', ['DELETE /api/v1/users/{ids}', 'DELETE /system/user/delete-list']),
  ...group('system:user:update-password', ['PUT /api/v1/users/{id}/password/reset']),
  ...group('system:user:export', ['GET /api/v1/users/export', 'GET /system/user/export-excel']),
  ...group('system:user:import', ['POST /system/user/import']),
  ...group('system:permission:assign-user-role', [
    'GET /system/permission/list-user-roles',
    'POST /system/permission/assign-user-role',
  ]),
  ...group('bully:merchant-user:export', ['GET /bully/merchant-user/export-excel']),

  ...group('token', ['GET /system/role/simple-list', 'GET /system/role/list-all-simple', 'GET /api/v1/roles/options']),
  ...group('system:role:query', ['GET /system/role/page', 'GET /system/role/get', 'GET /api/v1/roles/page']),
  ...group('system:role:query', ['GET /api/v1/roles/{id}/form']),
  ...group('system:role:create', ['POST /system/role/create', 'POST /api/v1/roles']),
  ...group('system:role:update', [
    'PUT /system/role/update',
    'PUT /system/role/update-status',
    'PUT /api/v1/roles/{id}',
  ]),
  ...group('system:role:delete', ['DELETE /system/role/delete', 'DELETE /system/role/delete-list']),
  ...group('system:role:delete', ['DELETE /api/v1/roles/{ids}']),
  ...group('system:role:export', ['GET /system/role/export', 'GET /system/role/export-excel']),
  ...group('system:permission:assign-role-menu', ['GET /api/v1/roles/{id}/menuIds', 'PUT /api/v1/roles/{id}/menus']),

  ...group('token', ['GET /system/menu/simple-list', 'GET /api/v1/menus/routes']),
  ...group('system:menu:query', ['GET /api/v1/menus']),
  ...group('system:menu:update', ['PATCH /api/v1/menus/{id}']),

  ...group('token', ['GET /system/dept/simple-list', 'GET /system/dept/list-all-simple', 'GET /api/v1/dept/options']),
  ...group('system:dept:query', ['GET /system/dept/list', 'GET /system/dept/get', 'GET /api/v1/dept']),
  ...group('system:dept:query', ['GET /api/v1/dept/{id}/form']),
  ...group('system:dept:create', ['POST /system/dept/create', 'POST /api/v1/dept']),
  ...group('system:dept:update', ['PUT /system/dept/update', 'PUT /api/v1/dept/{id}']),
  ...group('system:dept:delete', ['DELETE /system/dept/delete', 'DELETE /api/v1/dept/{ids}']),

  ...group('token', ['GET /system/dict-type/simple-list', 'GET /system/dict-type/list-all-simple']),
  ...group('token', ['GET /system/dict-data/list-all-simple', 'GET /api/v1/dict-data/{code}/options']),
  ...group('system:dict:query', ['GET /system/dict-type/get', 'GET /api/v1/dict/page', 'GET /api/v1/dict-data/page']),
  ...group('system:dict:query', ['GET /api/v1/dict-data/{id}/form']),
  ...group('system:dict:create', ['POST /system/dict-type/create', 'POST /api/v1/dict-data']),
  ...group('system:dict:update', ['PUT /system/dict-type/update', 'PUT /system/dict-data/update']),
  ...group('system:dict:update', ['PUT /api/v1/dict-data/{id}']),
  ...group('system:dict:delete', ['DELETE /system/dict-type/delete', 'DELETE /system/dict-type/delete-list']),
  ...group('system:dict:delete', ['DELETE /system/dict-data/delete-list', 'DELETE /api/v1/dict-data/{ids}']),
  ...group('system:dict:export', ['GET /system/dict-type/export', 'GET /system/dict-data/export']),

  ...group('token', ['GET /infra/config/get-value-by-key']),
  ...group('infra:config:query', ['GET /infra/config/page', 'GET /infra/config/get', 'GET /api/v1/config/page']),
  ...group('infra:config:query', ['GET /api/v1/config/{id}/form']),
  ...group('infra:config:create', ['POST /infra/config/create', 'POST /api/v1/config']),
  ...group('infra:config:update', ['PUT /infra/config/update', 'PUT /api/v1/config/{id}']),
  ...group('infra:config:delete', ['DELETE /infra/config/delete', 'DELETE /api/v1/config/{id}']),
  ...group('infra:config:refresh', ['PATCH /api/v1/config']),
  ...group('infra:config:export', ['GET /infra/config/export']),

  ...group('system:login-log:query', ['GET /system/login-log/page']),
  ...group('system:login-log:export', ['GET /system/login-log/export']),
  ...group('system:operate-log:query', ['GET /system/operate-log/page', 'GET /api/v1/logs/page']),
  ...group('system:operate-log:export', ['GET /system/operate-log/export']),
  ...group('token', ['GET /api/v1/logs/visit-trend', 'GET /api/v1/logs/visit-stats']),

  ...group('system:notice:query', ['GET /system/notice/page', 'GET /system/notice/get', 'GET /api/v1/notices/page']),
  ...group('system:notice:query', ['GET /api/v1/notices/{id}/form']),
  ...group('system:notice:create', ['POST /system/notice/create', 'POST /api/v1/notices']),
  ...group('system:notice:update', ['PUT /system/notice/update', 'PUT /api/v1/notices/{id}']),
  ...group('system:notice:delete', ['DELETE /system/notice/delete', 'DELETE /system/notice/delete-list']),
  ...group('system:notice:delete', ['DELETE /api/v1/notices/{ids}']),
  ...group('system:notice:push', ['POST /system/notice/push']),
  ...group('system:notice:publish', ['PATCH /api/v1/notices/{id}/publish']),
  ...group('system:notice:revoke', ['PATCH /api/v1/notices/{id}/revoke']),
  ...group('token', ['GET /api/v1/notices/{id}/detail', 'GET /api/v1/notices/my-page', 'PUT /api/v1/notices/read-all']),
  ...group('token', ['GET /system/notify-message/my-page', 'PUT /system/notify-message/update-read']),
  ...group('token', ['PUT /system/notify-message/update-all-read', 'GET /system/notify-message/get-unread-list']),
  ...group('token', ['GET /system/notify-message/get-unread-count']),

  ...group('token', ['POST /infra/file/upload', 'POST /api/v1/files', 'DELETE /api/v1/files']),
]
