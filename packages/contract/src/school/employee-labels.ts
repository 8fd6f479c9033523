import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import { employeeStatusLabels } from '../codes/employee-codes.ts'
import type { EmployeeChannel, EmployeeKind, employeeGenders, nominations } from './employee.ts'
import type { EmployeeVerb } from './employee-lifecycle.ts'

const employeeKind: EnumLabels<EmployeeKind> = {
  TEACHER: ['教师', 'Teacher'],
  SAFETY_OFFICER: ['安全员', 'Safety officer'],
  GUARD: ['保安', 'Guard'],
  POLICE: ['民警', 'Police officer'],
  AUX_POLICE: ['辅警', 'Auxiliary police'],
  OPERATOR: ['接警员', 'Operator'],
  MAINTAINER: ['维护员', 'Maintainer'],
  SUPERVISOR: ['督导员', 'Supervisor'],
  PARENT_VOLUNTEER: ['家长志愿者', 'Parent volunteer'],
}

const gender: EnumLabels<(typeof employeeGenders)[number]> = {
  MALE: ['男', 'Male'],
  FEMALE: ['女', 'Female'],
  UNKNOWN: ['未填写', 'Not given'],
}

const reachChannel: EnumLabels<EmployeeChannel> = {
  INAPP: ['站内', 'In the console'],
  PUSH: ['推送', 'Push'],
  SMS: ['短信', 'Text message'],
  VOICE: ['电话', 'Phone call'],
  EMAIL: ['邮件', 'E-mail'],
  WECOM_APP: ['企业微信', 'WeCom'],
}

const nomination: EnumLabels<(typeof nominations)[number]> = {
  PRINCIPAL: ['校长', 'Principal'],
  SAFETY_OFFICER: ['安全主任', 'Safety officer'],
  LEGAL_VICE_HEAD: ['法治副校长', 'Legal vice-head'],
  CONTACT: ['应急联系人', 'Emergency contact'],
  DUTY_PHONE: ['值班电话', 'Duty phone'],
  DEPT_LEADER: ['单位负责人', 'Leader of the organization'],
  RECIPIENT: ['接警人', 'Recipient of alarms'],
  LAST_RECIPIENT: ['唯一的接警人', 'The only recipient of alarms'],
  UNIT: ['警力成员', 'Member of a unit'],
  POLICY: ['通知策略对象', 'Target of a notification policy'],
  SHIFT: ['排班', 'On the duty roster'],
}

const employeeVerb: EnumLabels<EmployeeVerb> = {
  absent: ['休假', 'On leave'],
  back: ['销假', 'Back from leave'],
  leave: ['离职', 'Mark as left'],
  rejoin: ['复职', 'Employ again'],
}

/** Labels of employees, on screens and in spreadsheets. */
export const employeeLabels = {
  employeeKind,
  employeeStatus: employeeStatusLabels,
  gender,
  reachChannel,
  nomination,
  employeeVerb,
} satisfies Record<string, EnumLabels<string>>

export const employeeLabel = (kind: keyof typeof employeeLabels, value: string, lang: Lang): string =>
  lookupLabel(employeeLabels[kind], value, lang)
