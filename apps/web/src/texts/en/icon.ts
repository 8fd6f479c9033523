import type { SameKeys } from '../same-keys.ts'
import type { icon as zh } from '../zh-cn/icon.ts'

export const icon: SameKeys<typeof zh> = {
  choose: 'Pick or type the name of an icon',
  search: 'Search icons',
  own: 'System icons',
  set: 'Element icons',
  none: 'No icon matches',
  copy: 'Copy',
  copied: 'Copy Success',
  copyFailed: 'Copy Error',
}
