import { labelOf } from '@tocsin/contract/field'
import { type UserSheetField, userSheetFields, UserSheetRow } from '@tocsin/contract/access/user-import'

/** Which column holds which field; a field that no column has is absent. */
export type Headings = ReadonlyMap<UserSheetField, number>

/** Beside the template's own: what other sheets of users call them, the export of this console among them. */
const others: Record<UserSheetField, readonly string[]> = {
  username: ['用户账号', '用户名', '账号'],
  nickname: ['用户昵称', '昵称', '姓名'],
  deptId: ['部门编码', '部门', '归属部门', '部门名称', 'Department code', 'Department'],
  email: ['邮箱', '电子邮箱'],
  mobile: ['手机号', '手机'],
  sex: ['性别'],
  status: ['帐号状态', '状态'],
  roles: ['角色编码', 'Role codes'],
  remark: [],
}

const plain = (text: string): string => text.replaceAll(/[\s*＊:：]/g, '').toLowerCase()

const names = new Map<UserSheetField, string[]>(
  userSheetFields.map((field) => {
    const label = labelOf(UserSheetRow.shape[field])
    return [field, [label?.title ?? '', label?.titleEn ?? '', ...others[field]].map(plain)]
  }),
)

const USERNAME = '用户名称'

/** Reads the first line. Of two columns for one field the one that says it more exactly counts. */
export const headingsOf = (cells: readonly string[]): Headings => {
  const heads = cells.map(plain)
  const found = new Map<UserSheetField, number>()
  for (const [field, known] of names) {
    const name = known.find((one) => heads.includes(one))
    if (name !== undefined) found.set(field, heads.indexOf(name))
  }
  // One heading for two things: beside 登录名称 it is what a person is called, without it what he signs in with.
  const named = heads.indexOf(USERNAME)
  if (!found.has('username') && named >= 0) {
    found.set('username', named)
    const nickname = names.get('nickname')?.find((one) => one !== USERNAME && heads.includes(one))
    if (nickname === undefined) found.delete('nickname')
    else found.set('nickname', heads.indexOf(nickname))
  }
  return found
}

/** The texts of a line by field; what is empty is left out. */
export const cellsOf = (headings: Headings, line: readonly string[]): Record<string, string> =>
  Object.fromEntries([...headings].flatMap(([field, at]) => (line[at] ? [[field, line[at]]] : [])))
