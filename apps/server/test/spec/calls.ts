/** A call as the specification writes it, relative to the base of all calls. */
type Call = { section: 'auth' | 'users' | 'menus' | 'dictionaries'; call: string; may?: string }

const section = (name: Call['section'], calls: readonly (string | [call: string, permission: string])[]): Call[] =>
  calls.map((item) => {
    const [call, may] = typeof item === 'string' ? [item, undefined] : item
    return { section: name, call, ...(may && { may }) }
  })

/**
 * The calls of the specification's section 7, one by one, with the permission of each: none when any signed-in user may
 * call, `open` without a session.
 */
export const specCalls: readonly Call[] = [
  ...section('auth', [
    ['POST /api/v1/auth/login', 'open'],
    ['GET /api/v1/auth/captcha', 'open'],
    ['POST /system/auth/logout', 'open'],
    ['POST /system/auth/refresh-token', 'open'],
    'GET /system/auth/get-permission-info',
  ]),
  ...section('users', [
    'GET /api/v1/users/me',
    'GET /api/v1/users/options',
    ['GET /system/user/page', 'system:user:list'],
    ['GET /system/user/get', 'system:user:query'],
    'GET /profile/get',
    'GET /get-import-template',
    ['GET /export', 'system:user:export'],
    ['POST /system/user/create', 'system:user:create'],
    ['PUT /admin-user/update', 'system:user:update'],
    ['PUT /system/user/update-password', 'system:user:update-password'],
    'PUT /profile/update',
    'PUT /profile/update-password',
    ['PUT /update-status', 'system:user:update'],
    ['DELETE /system/user/delete', 'system:user:delete'],
    ['GET /bully/merchant-user/page', 'bully:merchant-user:query'],
    ['GET /bully/merchant-user/export', 'bully:merchant-user:export'],
    ['POST /bully/merchant-user/create', 'bully:merchant-user:create'],
    ['POST /api/v1/users/import', 'system:user:import'],
    'GET /api/v1/users/send-verification-code',
    'PUT /api/v1/users/mobile',
    'PUT /api/v1/users/email',
  ]),
  ...section('menus', [
    ['GET /system/menu/list', 'system:menu:query'],
    'GET /system/menu/list-all-simple',
    ['GET /system/menu/get', 'system:menu:query'],
    ['POST /system/menu/create', 'system:menu:create'],
    ['PUT /system/menu/update', 'system:menu:update'],
    ['DELETE /system/menu/delete', 'system:menu:delete'],
    ['GET /system/permission/list-role-menus', 'system:permission:assign-role-menu'],
    ['POST /system/permission/assign-role-menu', 'system:permission:assign-role-menu'],
    ['POST /system/permission/assign-role-data-scope', 'system:permission:assign-role-data-scope'],
    'GET /api/v1/menus/options',
    ['GET /api/v1/menus/{id}/form', 'system:menu:query'],
    ['POST /api/v1/menus', 'system:menu:create'],
    ['PUT /api/v1/menus/{id}', 'system:menu:update'],
    ['DELETE /api/v1/menus/{id}', 'system:menu:delete'],
  ]),
  ...section('dictionaries', [
    ['GET /system/dict-type/page', 'system:dict:query'],
    'GET /api/v1/dict/list',
    ['GET /api/v1/dict/{id}/form', 'system:dict:query'],
    ['POST /api/v1/dict', 'system:dict:create'],
    ['PUT /api/v1/dict/{id}', 'system:dict:update'],
    ['DELETE /api/v1/dict/{id}', 'system:dict:delete'],
    'GET /system/dict-data/simple-list',
    ['GET /system/dict-data/page', 'system:dict:query'],
    ['GET /system/dict-data/get', 'system:dict:query'],
    ['POST /system/dict-data/create', 'system:dict:create'],
    ['POST /system/dict-data/update', 'system:dict:update'],
    ['DELETE /system/dict-data/delete', 'system:dict:delete'],
  ]),
]
