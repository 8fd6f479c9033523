import type { DictEntry } from '@tocsin/contract/settings/dict'
import { DataScope, RoleType } from '@tocsin/contract/settings/wire-codecs'
import { dataScopeLabels, roleTypeLabels } from '@tocsin/contract/access/rights/role-labels'
import type { RoleRow } from '@tocsin/contract/access/rights/role'

type Color = NonNullable<DictEntry['colorType']>
type DictSeed = {
  type: string
  name: string
  nameEn: string
  entries: readonly (readonly [value: string, label: string, labelEn: string, color: Color])[]
}

const scopes: readonly RoleRow['dataScope'][] = ['ALL', 'CUSTOM', 'DEPT', 'DEPT_AND_CHILD', 'SELF']

/**
 * Wire 6.1: words that screens show and users may rename, and the choices of `/api/v1` forms with their numbers. States
 * are code and never dictionaries.
 */
export const dictSeeds: readonly DictSeed[] = [
  {
    type: 'common_status',
    name: '系统状态',
    nameEn: 'Status',
    entries: [
      ['0', '开启', 'Enabled', 'primary'],
      ['1', '关闭', 'Disabled', 'info'],
    ],
  },
  {
    type: 'system_user_sex',
    name: '用户性别',
    nameEn: 'Sex',
    entries: [
      ['0', '未知', 'Unknown', 'info'],
      ['1', '男', 'Male', 'primary'],
      ['2', '女', 'Female', 'danger'],
    ],
  },
  {
    type: 'system_notice_type',
    name: '通知类型',
    nameEn: 'Notice type',
    entries: [
      ['1', '系统升级', 'System upgrade', 'success'],
      ['2', '系统维护', 'Maintenance', 'primary'],
      ['3', '安全警告', 'Security warning', 'danger'],
      ['4', '假期通知', 'Holiday', 'success'],
      ['5', '工作通知', 'Work', 'primary'],
      ['99', '其他', 'Other', 'info'],
    ],
  },
  {
    type: 'system_notice_level',
    name: '通知等级',
    nameEn: 'Notice level',
    entries: [
      ['L', '低', 'Low', 'info'],
      ['M', '中', 'Medium', 'warning'],
      ['H', '高', 'High', 'danger'],
    ],
  },
  {
    type: 'user_type',
    name: '用户类型',
    nameEn: 'User type',
    entries: [
      ['1', '管理账号', 'Staff', 'primary'],
      ['2', '学校账号', 'School account', 'success'],
    ],
  },
  {
    type: 'employee_post',
    name: '岗位',
    nameEn: 'Post',
    entries: [
      ['1', '校长', 'Principal', 'default'],
      ['2', '安全员', 'Safety officer', 'default'],
      ['3', '保安', 'Guard', 'default'],
      ['4', '教师', 'Teacher', 'default'],
      ['5', '接警员', 'Alarm operator', 'default'],
      ['6', '值班民警', 'Duty officer', 'default'],
      ['7', '督导', 'Supervisor', 'default'],
      ['8', '设备维护', 'Maintainer', 'default'],
    ],
  },
  {
    type: 'police_category',
    name: '警单类别',
    nameEn: 'Incident category',
    entries: [
      ['CRIMINAL', '刑事', 'Crime', 'danger'],
      ['SECURITY', '治安', 'Public order', 'warning'],
      ['TRAFFIC', '交通', 'Traffic', 'primary'],
      ['FIRE', '火灾', 'Fire', 'danger'],
      ['CROWD', '群体', 'Crowd', 'warning'],
      ['HELP', '求助', 'Help', 'success'],
      ['BULLYING', '欺凌', 'Bullying', 'warning'],
      ['OTHER', '其他', 'Other', 'info'],
    ],
  },
  {
    type: 'system_menu_type',
    name: '菜单类型',
    nameEn: 'Menu type',
    entries: [
      ['1', '目录', 'Directory', 'warning'],
      ['2', '菜单', 'Menu', 'success'],
      ['3', '按钮', 'Button', 'danger'],
    ],
  },
  {
    type: 'system_role_type',
    name: '角色类型',
    nameEn: 'Role type',
    entries: [
      [String(RoleType.encode(true)), ...roleTypeLabels.true, 'danger'],
      [String(RoleType.encode(false)), ...roleTypeLabels.false, 'primary'],
    ],
  },
  {
    type: 'system_data_scope',
    name: '数据范围',
    nameEn: 'Data scope',
    entries: scopes.map((scope) => [String(DataScope.encode(scope)), ...dataScopeLabels[scope], 'default']),
  },
  {
    type: 'infra_config_type',
    name: '参数类型',
    nameEn: 'Setting type',
    entries: [
      ['1', '系统内置', 'Built in', 'danger'],
      ['2', '自定义', 'Own', 'primary'],
    ],
  },
  {
    type: 'infra_boolean_string',
    name: '是否',
    nameEn: 'Yes or no',
    entries: [
      ['true', '是', 'Yes', 'danger'],
      ['false', '否', 'No', 'info'],
    ],
  },
  {
    type: 'demo_item_kind',
    name: '示例类别',
    nameEn: 'Demo category',
    entries: [
      ['GOODS', '商品', 'Goods', 'primary'],
      ['SERVICE', '服务', 'Service', 'success'],
      ['EVENT', '活动', 'Event', 'warning'],
      ['OTHER', '其他', 'Other', 'info'],
    ],
  },
]
