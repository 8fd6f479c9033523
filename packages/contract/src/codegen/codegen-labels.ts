import type {
  CodegenChange,
  CodegenKind,
  CodegenProblem,
  CodegenVisibility,
  CodegenTable,
  CodegenTemplate,
  FormType,
  QueryType,
} from './codegen.ts'
import type { EnumLabels } from '../field.ts'

const codegenArea: EnumLabels<CodegenTable['area']> = {
  school: ['学校 school', 'Schools'],
  device: ['设备 device', 'Devices'],
  security: ['安保 security', 'Security'],
  notify: ['通知 notify', 'Notification'],
  alarm: ['警情 alarm', 'Alarms'],
  police: ['警方 police', 'Police'],
  supervise: ['督导 supervise', 'Supervision'],
  announcement: ['公告 announcement', 'Announcements'],
  insight: ['统计 insight', 'Insight'],
}

const codegenSight: EnumLabels<CodegenVisibility> = {
  OPEN: ['有权限的人可见全部', 'Everything, by whoever has the permission'],
  DEPT: ['按所属部门可见', 'By department'],
  SCHOOL: ['按所属学校可见', 'By school'],
}

const codegenTemplate: EnumLabels<CodegenTemplate> = {
  SINGLE: ['单表', 'One table'],
  TREE: ['树表', 'Tree'],
  SUB: ['子表', 'Rows of another table'],
}

const codegenKind: EnumLabels<CodegenKind> = {
  TEXT: ['文本', 'Text'],
  INT: ['整数', 'Whole number'],
  BIGINT: ['长整数', 'Long whole number'],
  FLOAT: ['小数', 'Number'],
  BOOL: ['是否', 'Yes or no'],
  DAY: ['日期', 'Day'],
  INSTANT: ['时间', 'Time'],
  LIST: ['列表', 'List'],
}

const queryType: EnumLabels<QueryType> = {
  EQ: ['=', '='],
  NE: ['≠', '≠'],
  GT: ['>', '>'],
  GE: ['≥', '≥'],
  LT: ['<', '<'],
  LE: ['≤', '≤'],
  LIKE: ['包含', 'contains'],
  LIKE_LEFT: ['以…结尾', 'ends with'],
  LIKE_RIGHT: ['以…开头', 'begins with'],
  IN: ['其中之一', 'one of'],
  BETWEEN: ['介于', 'between'],
}

const formType: EnumLabels<FormType> = {
  INPUT: ['文本框', 'Input'],
  TEXTAREA: ['文本域', 'Text area'],
  NUMBER: ['数字', 'Number'],
  SWITCH: ['开关', 'Switch'],
  SELECT: ['下拉选择', 'Select'],
  RADIO: ['单选', 'Radio'],
  CHECKBOX: ['复选', 'Check boxes'],
  DATE: ['日期', 'Day'],
  DATETIME: ['日期时间', 'Day and time'],
  IMAGE: ['图片上传', 'Picture'],
  FILE: ['文件上传', 'File'],
  EDITOR: ['富文本', 'Rich text'],
  SCHOOL: ['学校选择', 'School'],
  PARENT: ['上级选择', 'Parent'],
  HIDDEN: ['隐藏', 'Hidden'],
}

const codegenChange: EnumLabels<CodegenChange['change']> = {
  ADDED: ['新增', 'Added'],
  REMOVED: ['删除', 'Removed'],
  CHANGED: ['变更', 'Changed'],
}

const codegenProblem: EnumLabels<CodegenProblem> = {
  ID: ['需要由数据库编号的主键', 'Needs a key that the database numbers:'],
  TYPE: ['类型不支持', 'Unknown type'],
  DIGITS: ['最多 15 位数字，其中小数最多 6 位', 'At most 15 digits, 6 of them after the point:'],
  GIVEN: ['不能为空、没有默认值，表单又不支持', 'Not null, without a default, and no form can give it:'],
  NAME: ['名称不可用', 'Unusable name'],
  SECRET: ['可能包含密钥', 'May hold secrets'],
  RULE: ['约束不支持', 'Unknown rule'],
  SIZE: ['字段数量不合适', 'Too few columns or too many:'],
}

/** Labels of the code generator. */
export const codegenLabels = {
  codegenArea,
  codegenSight,
  codegenTemplate,
  codegenKind,
  queryType,
  formType,
  codegenChange,
  codegenProblem,
}
