import { type Code, code } from './code.ts'

/** Of links to the wall, part of `codes`. */
export const wallCodes = {
  wallUnknown: code(
    1_008_003_000,
    '大屏链接无效，请向管理员索取新的链接',
    'This wall link is not valid: ask for a new one',
  ),
  wallExpired: code(
    1_008_003_001,
    '大屏链接已过期，请向管理员索取新的链接',
    'This wall link has expired: ask for a new one',
  ),
  wallRevoked: code(1_008_003_002, '大屏链接已被撤销', 'This wall link was revoked'),
  wallCreator: code(
    1_008_003_003,
    '大屏链接的创建人已停用或不再有权限，请索取新的链接',
    'The creator of this wall link is disabled or has lost the permission: ask for a new one',
  ),
} satisfies Record<string, Code>
