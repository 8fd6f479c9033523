import { type Code, code } from './code.ts'

/** The states of a person; here, because error messages name them too. */
export const employeeStatusLabels = {
  ACTIVE: ['在职', 'Employed'],
  LEAVE: ['休假', 'On leave'],
  LEFT: ['离职', 'Left'],
} as const

/** Of employees and their lifecycle; part of `codes`. */
export const employeeCodes = {
  employeeState: {
    ...code(1_003_002_000, '该人员处于「{state}」，不能执行该操作', 'Not possible while the person is “{state}”'),
    words: { state: employeeStatusLabels },
  },
  employeeLastRecipient: code(
    1_003_002_001,
    '{name} 是 {school} 唯一的接警人，请先指定另一位接警人',
    '{name} is the only recipient of alarms at {school}; name another recipient first',
  ),
  employeeHasAccount: code(1_003_002_002, '该人员已有账号', 'The person has an account already'),
  employeeAccountTaken: code(1_003_002_003, '该账号已关联另一位人员', 'The account belongs to another person already'),
  employeeDeleteLinked: code(
    1_003_002_004,
    '该人员已关联账号，不能删除；请办理离职',
    'The person has an account and cannot be deleted; mark as left instead',
  ),
  importSchool: code(1_003_002_005, '学校【{name}】不存在', 'There is no school {name}'),
  importSchoolTwice: code(
    1_003_002_006,
    '学校【{name}】不唯一，请填写学校代码',
    'More than one school is called {name}: give its code',
  ),
  employeeAccountUnseen: code(
    1_003_002_007,
    '该人员的账号不在您管理的部门，请由上级部门修改',
    'The account of this person belongs to a department that you do not manage; ask the department above',
  ),
  employeeAccountOfSchool: code(
    1_003_002_008,
    '该人员的账号是学校账号，只能调到另一所学校',
    'The account of this person is a school account; the person can only move to another school',
  ),
  employeeMobileByForm: code(
    1_003_002_009,
    '该人员有账号，手机号请在人员页面修改',
    'This person has an account: change the mobile number on the page of the person',
  ),
} satisfies Record<string, Code>
