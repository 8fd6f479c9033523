import type { EnumLabels } from '../field.ts'
import type { DeptRow } from './dept.ts'
import type { MenuType } from './rights/menu.ts'
import type { UserRow } from './user.ts'
import { dataScopeLabels } from './rights/role-labels.ts'

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

/** Labels of people, departments, menus and roles. */
export const accessLabels = { sex, userType, deptKind, menuType, dataScope: dataScopeLabels }
