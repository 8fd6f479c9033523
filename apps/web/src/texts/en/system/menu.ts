import type { Same } from '../../same.ts'
import type { dept as zhDept, menu as zhMenu } from '../../zh-cn/system/menu.ts'

export const dept: Same<typeof zhDept> = {
  typeName: 'Type the name of the department, {name}, to delete it',
  none: 'There are no departments yet',
  new: 'New department',
  editOf: 'Edit department: {name}',
  kindOfParent: 'As its parent',
  codeHelp: 'Letters, digits, hyphens and underscores; unique. Imports of users may name it',
  kindHelp: 'Empty: as its parent; at the top it must be chosen. Departments of schools come with the school.',
  schoolHelp: 'The department of a school comes with it; its kind cannot be changed',
  statusHelp: 'A disabled department can no longer be chosen; its users stay as they are',
}

export const menu: Same<typeof zhMenu> = {
  none: 'There are no menu entries yet',
  new: 'New menu entry',
  editOf: 'Edit menu entry: {name}',
  hidden: 'Hidden',
  nameEnHelp: 'Shown in English; empty: as the name',
  pathTopHelp: 'At the top a path begins with /, such as /system',
  pathBelowHelp: 'Below the top a path does not begin with /, such as user',
  linkHelp: 'A whole address beginning with http:// or https://',
  componentHelp: 'The screen, such as system/user/index, with a query if needed',
  componentNameHelp: 'Unique name under which the page is kept alive, such as SystemUser',
  permissionHelp: 'Such as system:user:create; a role with this button has this permission',
  iconHelp: 'Picked, or the name of one, such as system or ep:bell',
  redirectHelp: 'Where the directory leads; empty: to its first page',
  visibleHelp: 'Hidden entries are not in the menu but open by their address',
  keepAliveHelp: 'The page stays as it was left while another tab is shown',
  alwaysShowHelp: 'When off, a directory with a single page is shown as that page',
  statusHelp: 'When disabled, it and everything below stop working for everybody',
  pathNeeded: 'Give a path',
  pathTop: 'At the top a path must begin with /',
  pathBelow: 'Below the top a path must not begin with /',
  linkNeeded: 'Give an address beginning with http:// or https://',
}
