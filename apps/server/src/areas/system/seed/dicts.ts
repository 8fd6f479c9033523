import type { DictEntry } from '@tocsin/contract/system/dict'

type Color = NonNullable<DictEntry['colorType']>
type DictSeed = {
  type: string
  name: string
  entries: readonly (readonly [value: string, label: string, color: Color])[]
}

/** Wire 6.1, as far as screens show these as words that people may rename. States are code and never dictionaries. */
export const dictSeeds: readonly DictSeed[] = [
  {
    type: 'common_status',
    name: '系统状态',
    entries: [
      ['0', '开启', 'primary'],
      ['1', '关闭', 'info'],
    ],
  },
  {
    type: 'system_user_sex',
    name: '用户性别',
    entries: [
      ['0', '未知', 'info'],
      ['1', '男', 'primary'],
      ['2', '女', 'danger'],
    ],
  },
  {
    type: 'system_notice_type',
    name: '通知类型',
    entries: [
      ['1', '系统升级', 'success'],
      ['2', '系统维护', 'primary'],
      ['3', '安全警告', 'danger'],
      ['4', '假期通知', 'success'],
      ['5', '工作通知', 'primary'],
      ['99', '其他', 'info'],
    ],
  },
  {
    type: 'system_notice_level',
    name: '通知等级',
    entries: [
      ['L', '低', 'info'],
      ['M', '中', 'warning'],
      ['H', '高', 'danger'],
    ],
  },
  {
    type: 'demo_item_kind',
    name: '示例类别',
    entries: [
      ['GOODS', '商品', 'primary'],
      ['SERVICE', '服务', 'success'],
      ['EVENT', '活动', 'warning'],
      ['OTHER', '其他', 'info'],
    ],
  },
]
