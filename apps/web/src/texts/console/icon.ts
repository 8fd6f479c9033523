import type { Topic } from '../topic.ts'

export const icon = {
  choose: ['选择或输入图标名称', 'Pick or type the name of an icon'],
  search: ['搜索图标', 'Search icons'],
  own: ['系统图标', 'System icons'],
  set: ['Element 图标', 'Element icons'],
  none: ['没有符合的图标', 'No icon matches'],
  copy: ['复制', 'Copy'],
  copied: ['复制成功', 'Copy Success'],
  copyFailed: ['复制失败', 'Copy Error'],
} satisfies Topic
