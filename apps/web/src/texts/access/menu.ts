import type { Topic } from '../topic.ts'

export const dept = {
  group: ['部门', 'Department'],
  groupHint: ['上级部门决定谁能看到它。', 'The department above it decides who sees it.'],
  contactGroup: ['联系方式', 'Contact'],
  contactGroupHint: ['需要联系该部门时找谁。', 'Whom to ask in this department.'],
  orderGroup: ['顺序与状态', 'Order and status'],
  orderGroupHint: ['在列表中的位置，以及是否启用。', 'Its place in lists, and whether it is in use.'],
  typeName: ['请输入部门名称「{name}」以确认删除', 'Type the name of the department, {name}, to delete it'],
  none: ['还没有部门', 'There are no departments yet'],
  new: ['新增部门', 'New department'],
  editOf: ['编辑部门：{name}', 'Edit department: {name}'],
  kindOfParent: ['与上级部门相同', 'As its parent'],
  codeHelp: [
    '字母、数字、连字符和下划线，不能重复；导入用户时可以填写',
    'Letters, digits, hyphens and underscores; unique. Imports of users may name it',
  ],
  kindHelp: [
    '留空则与上级部门相同；顶级部门必须选择。学校部门随学校建立。',
    'Empty: as its parent; at the top it must be chosen. Departments of schools come with the school.',
  ],
  schoolHelp: [
    '学校部门随学校建立，类型不能修改',
    'The department of a school comes with it; its kind cannot be changed',
  ],
  statusHelp: [
    '停用后不能再选择该部门，已有用户不受影响',
    'A disabled department can no longer be chosen; its users stay as they are',
  ],
} satisfies Topic

export const menu = {
  group: ['位置与名称', 'Place and name'],
  groupHint: ['在菜单中的位置和显示的名称。', 'Where it is in the menu, and what it is called.'],
  targetGroup: ['页面与权限', 'Page and permission'],
  targetGroupHint: ['打开什么，以及需要哪个权限。', 'What it opens, and which permission that needs.'],
  displayGroup: ['显示', 'Display'],
  displayGroupHint: ['在菜单和标签页中如何显示。', 'How it appears in the menu and its tab.'],
  none: ['还没有菜单', 'There are no menu entries yet'],
  new: ['新增菜单', 'New menu entry'],
  editOf: ['编辑菜单：{name}', 'Edit menu entry: {name}'],
  hidden: ['隐藏', 'Hidden'],
  nameEnHelp: ['英文界面显示的名称，留空则与菜单名称相同', 'Shown in English; empty: as the name'],
  pathTopHelp: [
    '顶级路由以 / 开头，例如 /system；不能有 # 和 ..，也不能是 /admin-api 之类系统自用的地址',
    'At the top a path begins with /, such as /system; no # or .., no address of the system itself such as /admin-api',
  ],
  pathBelowHelp: [
    '下级路由不以 / 开头，例如 user；不能有 # 和 ..',
    'Below the top a path does not begin with /, such as user; no # or ..',
  ],
  linkHelp: ['以 http:// 或 https:// 开头的完整地址', 'A whole address beginning with http:// or https://'],
  componentHelp: [
    '页面的组件地址，例如 system/user/index；参数随页面一起打开',
    'The screen, such as system/user/index; its parameters open with it',
  ],
  paramAdd: ['添加参数', 'Add a parameter'],
  paramKey: ['参数名', 'Name'],
  paramValue: ['参数值', 'Value'],
  paramKeyOf: ['参数 {no} 的名称', 'Name of parameter {no}'],
  paramValueOf: ['参数 {no} 的值', 'Value of parameter {no}'],
  paramDelete: ['删除参数 {no}', 'Delete parameter {no}'],
  componentNameHelp: [
    '路由名称，不能重复，例如 SystemUser；不填则取自路由地址',
    'Unique name of the route, such as SystemUser; without one it is named by its path',
  ],
  permissionHelp: [
    '例如 system:user:create；拥有该按钮的角色即拥有该权限',
    'Such as system:user:create; a role with this button has this permission',
  ],
  iconHelp: ['可以选择，也可以输入名称，例如 system、ep:bell', 'Picked, or the name of one, such as system or ep:bell'],
  redirectHelp: ['打开目录时转到的地址，留空则转到第一个页面', 'Where the directory leads; empty: to its first page'],
  visibleHelp: [
    '隐藏后不出现在菜单中，仍可通过地址打开',
    'Hidden entries are not in the menu but open by their address',
  ],
  keepAliveHelp: ['切换到其他标签页时，保留页面当前的内容', 'The page stays as it was left while another tab is shown'],
  alwaysShowHelp: [
    '关闭时，只有一个页面的目录直接显示为该页面',
    'When off, a directory with a single page is shown as that page',
  ],
  statusHelp: ['停用后，该项及其下级对所有人失效', 'When disabled, it and everything below stop working for everybody'],
  statusOf: ['菜单“{name}”的状态', 'Status of the entry {name}'],
  enableAsk: ['确认要启用菜单“{name}”吗？', 'Enable the entry {name}?'],
  disableAsk: ['确认要停用菜单“{name}”吗？', 'Disable the entry {name}?'],
  refresh: ['刷新菜单缓存', 'Refresh the menu cache'],
  refreshAsk: [
    '清除本浏览器保存的菜单和权限，并重新加载页面？',
    'Forget the menu and the rights this browser has kept, and load the page anew?',
  ],
  refreshHelp: ['其他人的菜单会自动更新，无需刷新。', 'The menus of others follow changes by themselves.'],
  pathNeeded: ['请填写路由地址', 'Give a path'],
  pathTop: ['顶级路由必须以 / 开头', 'At the top a path must begin with /'],
  pathBelow: ['下级路由不能以 / 开头', 'Below the top a path must not begin with /'],
  linkNeeded: ['请填写以 http:// 或 https:// 开头的地址', 'Give an address beginning with http:// or https://'],
} satisfies Topic
