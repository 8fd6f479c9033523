import type { SameKeys } from '../../same-keys.ts'
import type { merchant as zh } from '../../zh-cn/system/merchant.ts'

export const merchant: SameKeys<typeof zh> = {
  none: 'There are no school accounts yet',
  new: 'New school account',
  chooseSchool: 'Choose a school',
  schoolHelp: 'The account belongs to the department of that school; roles are given by a system administrator',
}
