import { codes } from '@tocsin/contract/codes'

/** Field errors of calls whose fields each match the contract: a rule over stored data or several fields. */
const rules: readonly { calls: RegExp; fields: string; why: string }[] = [
  {
    calls: /verification-code|send-sms-code|reset-password$/,
    fields: 'contact contactType code',
    why: 'one says what the other is; a reset has two field names for its code',
  },
  {
    calls: /\/(user|users|admin-user|merchant-user|profile)\b/,
    fields: 'avatar',
    why: 'only the picture that is there',
  },
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
  {
    calls: /^POST \/system\/auth\/register$/,
    fields: 'mobile email smsCode username userName',
    why: 'depends on a setting; one user name under two field names',
  },
  { calls: /\/config\b/, fields: 'value', why: 'depends on the type of the value' },
  {
    calls: /\/demo\//,
    fields: 'fileId imageId kind tags url content icon parentId',
    why: 'words of a dictionary; files that are there',
  },
  { calls: /\/warn\/rule\//, fields: 'repeatCount withinSec recoverCodes', why: 'depends on the condition' },
  { calls: /\/notify\/policy\//, fields: 'steps deptId', why: 'people and departments in sight; one step at a time' },
  { calls: /\/warn\/assignment\//, fields: 'attachments', why: 'uploads that are there' },
  {
    calls: /\/warn\/record\//,
    fields: 'no attachments userId responderIds cause disposition reason',
    why: 'depends on the record',
  },
  {
    calls: /\/codegen\//,
    fields: 'tableName tableId columns parentMenuId dictType name',
    why: 'what the database holds',
  },
  {
    calls: /\/school\/employee\//,
    fields: 'schoolId deptId schoolIds mobile channels userId',
    why: 'rows that are visible; a mask stands for what is stored; each channel once',
  },
  {
    calls: /\/device\/model\//,
    fields: 'batteryCurve offlineAfterSec alarmCodes',
    why: 'falls steadily; after a heartbeat; one that exists',
  },
  { calls: /\/device\/device\//, fields: 'modelId deptId gatewayId', why: 'rows that are there and visible' },
  { calls: /\/device\/school-device\//, fields: 'photoIds', why: 'uploads that are there' },
  { calls: /\/device\/test\//, fields: 'windowTo', why: 'after the beginning, and within hours' },
  {
    calls: /\/security\//,
    fields: 'fromAt toAt lng lat rounds attachments',
    why: 'after the beginning; five with a key area; own uploads',
  },
  {
    calls: /\/police\/(situation|unit)\//,
    fields: 'category schoolId stationDeptId deptId memberIds unitIds assignmentId fileIds',
    why: 'words of a dictionary; rows that are there and visible',
  },
  {
    calls: /\/supervise\/order\//,
    fields:
      'schoolId responsibleDeptId responsibleUserId assistDeptIds subjectId subjectType signDueAt nodes doneNodes newDueAt dueAt attachments',
    why: 'rows that are there and visible; dates that agree; own uploads',
  },
  {
    calls: /\/announcement\/announcement\//,
    fields: 'deptIds schoolIds roleIds target publishAt validUntil content attachments',
    why: 'rows that are there and visible; times that agree; own uploads',
  },
  {
    calls: /\/school\/school\//,
    fields: 'policeDeptId lng lat boarderCount geofence emergencyContacts principalId safetyOfficerId legalViceHeadId',
    why: 'rows that are there; both or none; at most the pupils; closed; a mask stands for what is stored',
  },
  {
    calls: /\/school\/(calendar|school-term)\//,
    fields: 'deptId toDay toMin',
    why: 'rows that are there; not before the beginning',
  },
  { calls: /\/school\/floor-plan\//, fields: 'placeId fileId places pins', why: 'rows that are there; an own upload' },
  { calls: /\/school\/place\//, fields: 'lng lat', why: 'both or none' },
  { calls: /\/(page|export|export-excel|export-later|get|work|times)$/, fields: 'from', why: 'not after the end' },
  {
    calls: /\/device\/procedure/,
    fields: 'class work fromMin toMin steps no scan reading attachments',
    why: 'depends on the kind and the step; both hours or none',
  },
  { calls: /\/readiness-weights\//, fields: 'weights', why: 'later thresholds cost more' },
  { calls: /\/device\/rollout/, fields: 'fileId modelId packageId', why: 'rows that are there; own uploads' },
  { calls: /\/device\/maintenance\//, fields: 'assigneeId attachments', why: 'people and uploads that are there' },
  { calls: /\/import$/, fields: 'file', why: 'what the sheet holds' },
  { calls: /\/update-avatar$/, fields: 'avatarFile', why: 'what the picture holds' },
]

/** Errors without a field that a valid call may get. */
const sentences = [codes.tooFar, codes.invalidRefresh]
const windows = /^时间范围不能超过 \d+ 天$/

/** Whether a call that matches the contract may get this error. */
export const isExpectedBusinessError = (
  call: string,
  { msg, fields }: { msg: string; fields: readonly string[] },
): boolean => {
  if (fields.length === 0) return windows.test(msg) || sentences.some(({ zh }) => zh === msg)
  const known = new Set(rules.flatMap((rule) => (rule.calls.test(call) ? rule.fields.split(' ') : [])))
  return fields.every((field) => known.has(field.split('.')[0] ?? ''))
}
