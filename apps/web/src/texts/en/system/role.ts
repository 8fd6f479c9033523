import type { SameKeys } from '../../same-keys.ts'
import type { role as zh } from '../../zh-cn/system/role.ts'

export const role: SameKeys<typeof zh> = {
  none: 'There are no roles yet',
  new: 'New role',
  newHelp: 'A new role has no menus and begins with the own department; assign its menus after saving.',
  editOf: 'Edit role: {name}',
  codeHelp: 'Begins with a letter, then letters, digits, dashes or underscores',
  statusHelp: 'When disabled, its holders lose what it gives at once',
  builtInHelp: 'A built-in role can be seen but not changed',
  menus: 'Menus',
  menusOf: 'Menus: {name}',
  menusHelp: 'You can give only rights that you have yourself. Takes effect at once.',
  findMenu: 'Find a menu entry',
  noMenuFound: 'No menu entry found',
  meanwhileTicked: 'They ticked: {names}.',
  meanwhileCleared: 'They cleared: {names}.',
  meanwhileTaken: 'Taken in with your own ticks; check them and save again.',
  tickAll: 'Select all',
  tickNone: 'Select none',
  scope: 'Data scope',
  scopeOf: 'Data scope: {name}',
  scopeHelp: 'With several roles a user sees what any of them allows. It cannot reach beyond what you see yourself.',
  scopeNotYours: 'Only to be seen: you do not have the right to assign data scopes',
  together: 'With those below',
  togetherWhat: 'What “with those below” does',
  menusTogetherHelp:
    'On: an entry is selected or cleared with everything below it. Off: each entry by itself, with only the way up to it; clearing one still clears what is below, as nobody could reach it.',
  deptsTogetherHelp:
    'On: a department is selected or cleared with everything below it. Off: each department by itself.',
  deptsMissing: 'Choose at least one department',
  members: 'Members',
  membersOf: 'Members: {name}',
  noMembers: 'No members that you may see; roles are assigned among the users',
  toUsers: 'To the users',
}
