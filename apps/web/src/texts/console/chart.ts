import type { Topic } from '../topic.ts'

export const chart = {
  view: ['显示方式', 'View'],
  chart: ['图', 'Chart'],
  table: ['表', 'Table'],
  saveImage: ['图片', 'Image'],
  saveTable: ['表格', 'Sheet'],
  rows: ['查看明细', 'Show rows'],
} satisfies Topic
