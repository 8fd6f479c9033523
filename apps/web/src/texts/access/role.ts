import type { Topic } from '../topic.ts'

export const role = {
  none: ['还没有角色', 'There are no roles yet'],
  new: ['新增角色', 'New role'],
  newHelp: [
    '新角色没有任何菜单，数据权限默认为本部门；保存后请分配菜单权限。',
    'A new role has no menus and begins with the own department; assign its menus after saving.',
  ],
  editOf: ['编辑角色：{name}', 'Edit role: {name}'],
  codeHelp: [
    '以字母开头，由字母、数字、横线或下划线组成',
    'Begins with a letter, then letters, digits, dashes or underscores',
  ],
  statusHelp: ['停用后，拥有该角色的用户立即失去其权限', 'When disabled, its holders lose what it gives at once'],
  builtInHelp: ['内置角色只能查看，不能修改', 'A built-in role can be seen but not changed'],
  menus: ['菜单权限', 'Menus'],
  menusOf: ['菜单权限：{name}', 'Menus: {name}'],
  menusHelp: [
    '只能授予本人拥有的权限。保存后立即生效。',
    'You can give only rights that you have yourself. Takes effect at once.',
  ],
  findMenu: ['请输入菜单名称', 'Find a menu entry'],
  noMenuFound: ['没有找到菜单', 'No menu entry found'],
  meanwhileTicked: ['对方勾选了：{names}。', 'They ticked: {names}.'],
  meanwhileCleared: ['对方取消了：{names}。', 'They cleared: {names}.'],
  meanwhileTaken: ['已并入您的勾选，请确认后再次保存。', 'Taken in with your own ticks; check them and save again.'],
  tickAll: ['全选', 'Select all'],
  tickNone: ['全不选', 'Select none'],
  scope: ['数据权限', 'Data scope'],
  scopeOf: ['数据权限：{name}', 'Data scope: {name}'],
  scopeHelp: [
    '用户有多个角色时，可见范围取并集。不能超出本人的数据范围。',
    'With several roles a user sees what any of them allows. It cannot reach beyond what you see yourself.',
  ],
  scopeNotYours: [
    '您没有分配数据权限的权限，只能查看',
    'Only to be seen: you do not have the right to assign data scopes',
  ],
  together: ['父子联动', 'With those below'],
  togetherWhat: ['父子联动说明', 'What “with those below” does'],
  menusTogetherHelp: [
    '开启时，勾选或取消一项，其下级一并勾选或取消。关闭时逐项勾选，只带上到达该项必经的上级；取消上级时，其下级仍一并取消，否则无法到达。',
    'On: an entry is selected or cleared with everything below it. Off: each entry by itself, with only the way up to it; clearing one still clears what is below, as nobody could reach it.',
  ],
  deptsTogetherHelp: [
    '开启时，勾选或取消一个部门，其下级部门一并勾选或取消。关闭时，每个部门单独勾选。',
    'On: a department is selected or cleared with everything below it. Off: each department by itself.',
  ],
  deptsMissing: ['请至少选择一个部门', 'Choose at least one department'],
  members: ['成员', 'Members'],
  membersOf: ['角色成员：{name}', 'Members: {name}'],
  noMembers: [
    '没有可见的成员，可在用户管理中分配角色',
    'No members that you may see; roles are assigned among the users',
  ],
  toUsers: ['去用户管理', 'To the users'],
} satisfies Topic
