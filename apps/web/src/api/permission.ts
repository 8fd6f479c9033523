import { endpoint } from '@tocsin/contract/endpoint'
import { z } from 'zod'

const MenuFields = z.object({
  id: z.int(),
  parentId: z.int().nullable(),
  name: z.string(),
  nameEn: z.string().nullish(),
  path: z.string().nullable(),
  component: z.string().nullable(),
  componentName: z.string().nullish(),
  redirect: z.string().nullish(),
  icon: z.string().nullish(),
  visible: z.boolean().nullish(),
  keepAlive: z.boolean().nullish(),
  alwaysShow: z.boolean().nullish(),
})
export type MenuNode = z.output<typeof MenuFields> & { children?: MenuNode[] | null | undefined }
const MenuNode: z.ZodType<MenuNode> = MenuFields.extend({
  get children() {
    return z.array(MenuNode).nullish()
  },
})

/** Read leniently: a menu table edited elsewhere must not lock everybody out. */
const Answer = z.object({
  user: z.object({
    id: z.int(),
    nickname: z.string(),
    avatar: z.string().nullish(),
    deptId: z.int().nullish(),
  }),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
  menus: z.array(MenuNode).nullish(),
})
export type PermissionAnswer = z.output<typeof Answer>

/** Who is signed in, with his permissions and the menus he may see. */
export const permissionCall = endpoint({
  method: 'GET',
  path: '/system/auth/get-permission-info',
  kind: 'json',
  permission: 'token',
  scope: 'self',
  summary: '权限信息',
  summaryEn: 'Permissions and menus of the caller',
  data: Answer,
})

export const refreshCall = endpoint({
  method: 'POST',
  path: '/system/auth/refresh-token',
  kind: 'json',
  permission: 'open',
  scope: 'none',
  summary: '刷新令牌',
  summaryEn: 'Refresh the tokens',
  query: z.object({ refreshToken: z.string() }),
  data: z.object({ accessToken: z.string(), refreshToken: z.string() }),
})

export const logoutCall = endpoint({
  method: 'POST',
  path: '/system/auth/logout',
  kind: 'json',
  permission: 'token',
  scope: 'self',
  summary: '退出登录',
  summaryEn: 'Sign out',
  data: z.unknown(),
})
