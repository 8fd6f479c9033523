import type { Topic } from '../topic.ts'

export const system = {
  enabled: ['启用', 'Enabled'],
  disabled: ['停用', 'Disabled'],
  expand: ['展开全部', 'Expand all'],
  collapse: ['收起全部', 'Collapse all'],
  top: ['顶级', 'Top'],
  parentUnseen: ['不可见的上级', 'A parent out of sight'],
  createBelow: ['新增下级', 'New below'],
  up: ['上移', 'Move up'],
  down: ['下移', 'Move down'],
  drag: ['按住拖动以移动', 'Drag to move'],
  more: ['更多', 'More'],
  sortHelp: ['数字小的排在前面', 'Smaller numbers come first'],
  unoffered: ['编号 {id}（已停用或不可见）', 'No. {id}, disabled or out of sight'],
  chooseDept: ['请选择部门', 'Choose a department'],
  findDept: ['请输入部门名称', 'Department name'],
  noDeptFound: ['没有符合条件的部门', 'No department matches'],
} satisfies Topic
