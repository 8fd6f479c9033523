import type { EnumLabels } from '../field.ts'
import type { NoticeRow } from './notice.ts'

const noticeLevel: EnumLabels<NoticeRow['level']> = {
  L: ['普通', 'Normal'],
  M: ['重要', 'Important'],
  H: ['紧急', 'Urgent'],
}

const noticeTarget: EnumLabels<NoticeRow['target']> = {
  ALL: ['全体', 'Everybody'],
  DEPT: ['指定部门', 'Departments'],
  USER: ['指定用户', 'People'],
}

const noticeState: EnumLabels<NoticeRow['state']> = {
  DRAFT: ['未发布', 'Draft'],
  PUBLISHED: ['已发布', 'Published'],
  REVOKED: ['已撤回', 'Revoked'],
}

/** Labels of notices. */
export const noticeLabels = { noticeLevel, noticeTarget, noticeState }
