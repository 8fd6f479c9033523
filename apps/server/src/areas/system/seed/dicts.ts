import type { DictEntry } from '@tocsin/contract/system/dict'

type Color = NonNullable<DictEntry['colorType']>
type DictSeed = {
  type: string
  name: string
  nameEn: string
  entries: readonly (readonly [value: string, label: string, labelEn: string, color: Color])[]
}

/** Wire 6.1, as far as screens show these as words that people may rename. States are code and never dictionaries. */
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
