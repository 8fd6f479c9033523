import { codes } from '@tocsin/contract/codes'

/** What a call may refuse by field though each field for itself is as the contract wants it: a rule over data or several fields. */
const rules: readonly { calls: RegExp; fields: string; why: string }[] = [
  {
    calls: /verification-code|send-sms-code|reset-password$/,
    fields: 'contact contactType',
    why: 'one says what the other is',
  },
  { calls: /\/(user|users|admin-user|merchant-user)\b/, fields: 'avatar', why: 'only the picture that is there' },
  { calls: /\/(user|admin-user|merchant-user)\//, fields: 'postIds', why: 'words of a dictionary' },
  { calls: /\/profile/, fields: 'nickname', why: 'only who administers users changes a name' },
  { calls: /\/(user|users|admin-user|dept)\b/, fields: 'email mobile phone', why: 'a mask stands for what is stored' },
  {
    calls: /((user|admin-user)\/update|users\/\{id\})$/,
    fields: 'password deptId',
    why: 'only null; a department with a school',
  },
  { calls: /\/users\/password$/, fields: 'confirmPassword', why: 'the same as the password' },
  {
    calls: /^(PUT|POST) \/api\/v1\/(users|menus|notices|config|dict|dept|roles)/,
    fields: 'id',
    why: 'the address decides',
  },
  { calls: /^(PUT|POST) \/api\/v1\/roles/, fields: 'dataScope', why: 'given by a call of its own' },
  { calls: /\/menus?\b/, fields: 'path routePath type params', why: 'depends on what kind of menu it is' },
  { calls: /\/dept\b/, fields: 'kind', why: 'depends on what is above' },
  {
    calls: /\/notices?\b/,
    fields: 'type level deptIds userIds targetType targetUserIds content',
    why: 'words of a dictionary; depends on the target',
  },
  { calls: /^POST \/system\/auth\/register$/, fields: 'mobile email smsCode', why: 'depends on a setting' },
  { calls: /\/config\b/, fields: 'value', why: 'depends on the type of the value' },
  {
    calls: /\/demo\//,
    fields: 'fileId imageId kind tags url content icon parentId',
    why: 'words of a dictionary; files that are there',
  },
  { calls: /\/warn\/rule\//, fields: 'repeatCount withinSec recoverCodes', why: 'depends on the condition' },
  { calls: /\/warn\/record\//, fields: 'userId cause disposition reason', why: 'depends on the record' },
  {
    calls: /\/codegen\//,
    fields: 'tableName tableId columns parentMenuId dictType name',
    why: 'what the database holds',
  },
  { calls: /\/device\/model\//, fields: 'batteryCurve offlineAfterSec', why: 'falls steadily; after a heartbeat' },
  { calls: /\/device\/device\//, fields: 'modelId deptId gatewayId', why: 'rows that are there and visible' },
  { calls: /\/device\/school-device\//, fields: 'photoIds', why: 'uploads that are there' },
  { calls: /\/device\/test\//, fields: 'windowTo', why: 'after the beginning, and within hours' },
  { calls: /\/import$/, fields: 'file', why: 'what the sheet holds' },
  { calls: /\/update-avatar$/, fields: 'avatarFile', why: 'what the picture holds' },
]

/** What a call may refuse without naming a field. */
const sentences = [codes.tooFar, codes.invalidRefresh]
const windows = /^时间范围不能超过 \d+ 天$/

/** Whether a call that is as the contract wants it may be refused so. */
export const isExpectedBusinessError = (
  call: string,
  { msg, fields }: { msg: string; fields: readonly string[] },
): boolean => {
  if (fields.length === 0) return windows.test(msg) || sentences.some(({ zh }) => zh === msg)
  const known = new Set(rules.flatMap((one) => (one.calls.test(call) ? one.fields.split(' ') : [])))
  return fields.every((field) => known.has(field.split('.')[0] ?? ''))
}
