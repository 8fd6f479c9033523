import type { Topic } from '../topic.ts'

export const dict = {
  entryGroup: ['字典项', 'Entry'],
  entryGroupHint: ['系统保存键值，页面显示标签。', 'The value is stored, the label is shown.'],
  showGroup: ['显示', 'Display'],
  showGroupHint: ['顺序、是否可选和标签的颜色。', 'Its order, whether it can be chosen, and its colour.'],
  typeHelp: [
    '以字母开头，只能有字母、数字和下划线；创建后不能修改',
    'Begins with a letter, then letters, digits and underscores; cannot be changed later',
  ],
  typeFixed: ['创建后不能修改', 'Cannot be changed after creation'],
  typeStatusHelp: ['停用后，其中的数据不再供选择和显示', 'When disabled, its entries are no longer offered or shown'],
  data: ['数据', 'Entries'],
  all: ['全部字典', 'All dictionaries'],
  other: ['切换字典', 'Another dictionary'],
  noEntries: ['该字典还没有数据', 'This dictionary has no entries yet'],
  valueHelp: ['程序中使用的值，在本字典内唯一', 'What programs use; unique within the dictionary'],
  entryStatusHelp: [
    '停用后不再供选择，已有的值按原样显示',
    'When disabled, it is no longer offered; where it is used, the value is shown',
  ],
  cssHelp: [
    '十六进制颜色（如 #d4380d）作为标签背景，其他文本作为样式类名',
    'A hex colour such as #d4380d becomes the background; other text becomes class names',
  ],
  preview: ['预览', 'Preview'],
  nameEnHelp: ['英文界面显示的名称，留空则与字典名称相同', 'Shown on English screens; left empty it is the name'],
  labelEnHelp: ['英文界面显示的标签，留空则与数据标签相同', 'Shown on English screens; left empty it is the label'],
  previewText: ['标签', 'Label'],
  inUse: ['各页面当前显示', 'As all pages show it now'],
  colorDefault: ['默认', 'Default'],
  colorPrimary: ['主要', 'Primary'],
  colorSuccess: ['成功', 'Success'],
  colorInfo: ['信息', 'Info'],
  colorWarning: ['警告', 'Warning'],
  colorDanger: ['危险', 'Danger'],
} satisfies Topic
