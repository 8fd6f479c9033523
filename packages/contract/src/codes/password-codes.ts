import { type Code, code } from './code.ts'

export const passwordCodes = {
  oldPassword: code(1_002_003_005, '原密码不正确', 'The old password is wrong'),
  passwordCommon: code(
    1_002_003_010,
    '密码过于简单：属于最常见的密码',
    'The password is too weak: it is among the most common ones',
  ),
  passwordMonotone: code(
    1_002_003_010,
    '密码过于简单：重复或连续的字符太多',
    'The password is too weak: too many repeated or consecutive characters',
  ),
  passwordIsName: code(
    1_002_003_010,
    '密码过于简单：不能与用户名相同',
    'The password is too weak: it is the user name',
  ),
  passwordHasProduct: code(
    1_002_003_010,
    '密码过于简单：不能由产品名称加常见字符组成',
    'The password is too weak: it is the name of the product with common characters',
  ),
  passwordUnchanged: code(1_002_003_011, '新密码不能与原密码相同', 'The new password equals the old one'),
  passwordWrong: code(1_002_003_012, '密码不正确', 'The password is wrong'),
} satisfies Record<string, Code>
