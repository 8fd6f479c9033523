import type { Topic } from '../topic.ts'

export const config = {
  group: ['参数', 'Setting'],
  groupHint: ['程序按键名读取参数。', 'The program reads a setting by its key.'],
  valueGroup: ['取值与可见性', 'Value and visibility'],
  valueGroupHint: ['保存后立即生效。', 'Applies as soon as it is saved.'],
  builtIn: ['系统内置', 'Built in'],
  own: ['自定义', 'Own'],
  builtInHelp: ['系统内置的参数不能删除', 'A built-in setting cannot be deleted'],
  inEnglish: ['修改前，英文界面显示：{text}', 'In English, until this is changed: {text}'],
  fixed: ['系统内置的参数不能修改键名和类型', 'Key and type of a built-in setting cannot be changed'],
  keyHelp: [
    '以字母开头，只能有字母、数字、点、横线和下划线',
    'Begins with a letter, then letters, digits, dots, dashes and underscores',
  ],
  categoryHelp: ['自定的类别，便于查找同类参数', 'Any word, to find settings that belong together'],
  bounds: ['{min} 至 {max} 之间的整数', 'A whole number between {min} and {max}'],
  whole: ['须为整数', 'Must be a whole number'],
  urlHelp: ['以 http:// 或 https:// 开头的地址，可以不填', 'An address beginning with http:// or https://, or nothing'],
  visibleHelp: [
    '可见的参数可由任何登录用户按键名读取，请勿存放密码等敏感信息',
    'Anybody who is signed in can read a visible setting by its key; keep no passwords here',
  ],
  empty: ['（空）', '(empty)'],
  refresh: ['刷新缓存', 'Reload cache'],
  refreshed: ['所有节点将重新读取参数', 'All nodes read their settings again'],
} satisfies Topic
