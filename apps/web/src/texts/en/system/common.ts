import type { SameKeys } from '../../same-keys.ts'
import type { system as zh } from '../../zh-cn/system/common.ts'

export const system: SameKeys<typeof zh> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  expand: 'Expand all',
  collapse: 'Collapse all',
  top: 'Top',
  parentUnseen: 'A parent out of sight',
  createBelow: 'New below',
  up: 'Move up',
  down: 'Move down',
  drag: 'Drag to move',
  more: 'More',
  sortHelp: 'Smaller numbers come first',
  unoffered: 'No. {id}, disabled or out of sight',
  chooseDept: 'Choose a department',
  findDept: 'Department name',
  noDeptFound: 'No department matches',
}
