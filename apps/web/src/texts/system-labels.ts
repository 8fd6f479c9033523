import type { EnumLabels } from '@tocsin/contract/field'
import type { DeptRow } from '@tocsin/contract/access/dept'
import type { MenuType } from '@tocsin/contract/access/rights/menu'
import type { FileGroup, FilePurpose } from '@tocsin/contract/files/file'
import type { JobState } from '@tocsin/contract/files/job'
import type { NoticeRow } from '@tocsin/contract/notices/notice'
import { dataScopeLabels } from '@tocsin/contract/access/rights/role-labels'
import type { UserRow } from '@tocsin/contract/access/user'
import type { ImportVerdict } from '@tocsin/contract/files/import'
import { codegenLabels } from './codegen-labels.ts'

const sex: EnumLabels<UserRow['sex']> = { UNKNOWN: ['未知', 'Unknown'], MALE: ['男', 'Male'], FEMALE: ['女', 'Female'] }

const userType: EnumLabels<UserRow['userType']> = {
  STAFF: ['管理账号', 'Staff'],
  SCHOOL: ['学校账号', 'School account'],
}

const deptKind: EnumLabels<DeptRow['kind']> = {
  EDU_BUREAU: ['教育局', 'Education bureau'],
  SCHOOL: ['学校', 'School'],
  POLICE_BUREAU: ['公安局', 'Police bureau'],
  POLICE_STATION: ['派出所', 'Police station'],
  COMMAND_CENTER: ['指挥中心', 'Command centre'],
  OPERATOR_CO: ['运营单位', 'Operator'],
  VENDOR: ['设备厂商', 'Vendor'],
}

const menuType: EnumLabels<MenuType> = {
  DIR: ['目录', 'Directory'],
  MENU: ['菜单', 'Menu'],
  BUTTON: ['按钮', 'Button'],
  LINK: ['外链', 'Link'],
}

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

const filePurpose: EnumLabels<FilePurpose> = {
  DRAFT: ['表单附件', 'Attached to a form'],
  LIBRARY: ['文件库', 'Library'],
  AVATAR: ['头像', 'Picture of a person'],
  IMPORT: ['导入', 'Import'],
  EXPORT: ['导出', 'Export'],
}

const fileGroup: EnumLabels<FileGroup> = {
  IMAGE: ['图片', 'Pictures'],
  DOCUMENT: ['文档', 'Documents'],
  MEDIA: ['音视频', 'Sound and video'],
  OTHER: ['其他', 'Other'],
}

const jobState: EnumLabels<JobState> = {
  QUEUED: ['排队中', 'Queued'],
  RUNNING: ['进行中', 'Running'],
  READY: ['待确认', 'Waiting for you'],
  DONE: ['已完成', 'Done'],
  FAILED: ['失败', 'Failed'],
  CANCELLED: ['已取消', 'Cancelled'],
}

const importVerdict: EnumLabels<ImportVerdict> = {
  CREATE: ['新增', 'New'],
  UPDATE: ['更新', 'Changed'],
  SAME: ['无变化', 'The same'],
  BAD: ['错误', 'Wrong'],
}

/** Words of the administration. */
export const systemLabels = {
  sex,
  userType,
  dataScope: dataScopeLabels,
  deptKind,
  menuType,
  noticeLevel,
  noticeTarget,
  noticeState,
  filePurpose,
  fileGroup,
  jobState,
  importVerdict,
  ...codegenLabels,
}
