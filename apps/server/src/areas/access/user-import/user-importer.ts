import { codes } from '@tocsin/contract/codes'
import { type UserSheetField, UserSheetRow, userImports } from '@tocsin/contract/access/user-import'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { normalizeHeading } from '#areas/files/import/headings'
import type { Importer } from '#areas/files/import/importer'
import { checkDept } from '../roles/dept-choice.ts'
import { openUserCheck } from './check.ts'
import { userConstraints } from './line-errors.ts'
import { activationCodeColumns, userTemplate } from './sheets.ts'
import type { Draft } from './validate-line.ts'
import { userWriter } from './writer.ts'

/** Other names of the fields in spreadsheets of users, including the export of this console. */
const otherHeadings: Record<UserSheetField, readonly string[]> = {
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

const USERNAME = '用户名称'
const otherNicknames = ['Name', ...otherHeadings.nickname].map(normalizeHeading)

/** 用户名称 means two fields: beside 登录名称 it is the display name, without it the sign-in name. */
const adjustHeadings = (found: Map<string, number>, heads: readonly string[]): void => {
  const named = heads.indexOf(USERNAME)
  if (found.has('username') || named < 0) return
  found.set('username', named)
  const nickname = otherNicknames.find((otherNickname) => heads.includes(otherNickname))
  if (nickname === undefined) found.delete('nickname')
  else found.set('nickname', heads.indexOf(nickname))
}

const checkOptions = async (db: Db, actor: Actor, query: Record<string, unknown>) => {
  // The query was decoded by UserImportQuery.
  const { deptId } = query as { deptId?: number }
  if (deptId !== undefined) await checkDept(db, actor, deptId)
  return { deptId: deptId ?? actor.deptId, isDeptChosen: deptId !== undefined }
}

export const userImporter: Importer<Draft> = {
  endpoints: userImports,
  jobName: 'user-import',
  page: '/system/user',
  title: '用户',
  titleEn: 'Users',
  sheet: UserSheetRow,
  otherHeadings,
  adjustHeadings,
  required: ['username'],
  key: 'username',
  constraints: userConstraints,
  template: userTemplate,
  resultColumns: activationCodeColumns,
  openCheck: openUserCheck,
  writer: userWriter,
  undisclosed: ['mobile', 'email'],
  assertWhole: ({ untold = 0 }) => {
    if (untold > 0) throw new BusinessError(codes.importUntold)
  },
  checkOptions,
}
