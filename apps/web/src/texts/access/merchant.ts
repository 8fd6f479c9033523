import type { Topic } from '../topic.ts'

export const merchant = {
  groupHint: ['在哪所学校，用什么登录。', 'At which school, and how to sign in.'],
  none: ['还没有学校账号', 'There are no school accounts yet'],
  new: ['新增学校账号', 'New school account'],
  chooseSchool: ['请选择学校', 'Choose a school'],
  schoolHelp: [
    '账号归属该学校的部门，只能看到该学校的数据；角色由系统管理员分配',
    'The account belongs to the department of that school; roles are given by a system administrator',
  ],
} satisfies Topic
