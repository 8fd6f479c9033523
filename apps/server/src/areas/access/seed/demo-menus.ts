import type { DemoPermission } from '@tocsin/contract/demo/screens'
import { button, type MenuSeed } from './menu-seed.ts'
import type { RoleCode } from './roles.ts'

/** Roles that see the demo pages beside the administrator, while they are enabled (setting `site.demo`). */
const lookers: RoleCode[] = ['edu_bureau', 'shift_lead']

type Names = Pick<MenuSeed, 'name' | 'nameEn'>
type More = Partial<Pick<MenuSeed, 'icon' | 'buttons' | 'component' | 'roles'>>

const page = (path: string, componentName: string, names: Names, more: More = {}): MenuSeed => ({
  ...names,
  path,
  componentName,
  component: `demo/${path}/index`,
  icon: '',
  roles: lookers,
  ...more,
})

const directory = (path: string, componentName: string, names: Names, children: MenuSeed[]): MenuSeed => ({
  ...names,
  path,
  componentName,
  icon: 'ep:menu',
  roles: [],
  children,
})

const itemButtons = [
  button('demo:item:query', '查询', 'Query', lookers),
  button('demo:item:create', '新增', 'Create', lookers),
  button('demo:item:update', '修改', 'Update', lookers),
  button('demo:item:delete', '删除', 'Delete', lookers),
  button('demo:item:import', '导入', 'Import', lookers),
  button('demo:item:export', '导出', 'Export', lookers),
]

/** The permission that the screen itself checks. */
const looking = (permission: DemoPermission) => button(permission, '查询', 'Query', lookers)

/** Three pages, each one level deeper. */
const levels = directory('multi-level', 'DemoLevels', { name: '多级菜单', nameEn: 'Nested menu' }, [
  page(
    'one',
    'DemoLevelOne',
    { name: '菜单一级', nameEn: 'Level one' },
    { component: 'demo/multi-level/one', buttons: [looking('demo:level-one:query')] },
  ),
  directory('deeper', 'DemoDeeper', { name: '下一级', nameEn: 'Below' }, [
    page(
      'two',
      'DemoLevelTwo',
      { name: '菜单二级', nameEn: 'Level two' },
      { component: 'demo/multi-level/two', buttons: [looking('demo:level-two:query')] },
    ),
    directory('deepest', 'DemoDeepest', { name: '再下一级', nameEn: 'Further below' }, [
      page(
        'three',
        'DemoLevelThree',
        { name: '菜单三级', nameEn: 'Level three' },
        { component: 'demo/multi-level/three', buttons: [looking('demo:level-three:query')] },
      ),
    ]),
  ]),
])

const parameter = (type: 1 | 2, buttons: MenuSeed['buttons'] = []): MenuSeed =>
  page(
    `route-param-${type}`,
    `DemoRouteParam${type}`,
    { name: `路由参数 ${type}`, nameEn: `Parameter ${type}` },
    { component: `demo/route-param/index?type=${type}`, icon: 'ep:link', buttons },
  )

/** The demo pages of SPEC 1; served only while `site.demo` is on. */
export const demoMenu: MenuSeed = {
  name: '演示',
  nameEn: 'Demos',
  path: '/demo',
  componentName: 'Demo',
  icon: 'ep:magic-stick',
  roles: [],
  children: [
    page('curd', 'DemoCurd', { name: '增删改查', nameEn: 'CRUD' }, { icon: 'ep:grid', buttons: itemButtons }),
    page(
      'dict',
      'DemoDict',
      { name: '字典组件', nameEn: 'Dictionary' },
      { icon: 'dict', buttons: [looking('demo:dict:query')] },
    ),
    page(
      'icon-selector',
      'DemoIconSelector',
      { name: '图标选择器', nameEn: 'Icon selector' },
      { icon: 'ep:pointer', buttons: [looking('demo:icon-selector:query')] },
    ),
    page(
      'icons',
      'DemoIcons',
      { name: '图标', nameEn: 'Icons' },
      { icon: 'ep:star', buttons: [looking('demo:icons:query')] },
    ),
    levels,
    page(
      'signature',
      'DemoSignature',
      { name: '签名', nameEn: 'Signature' },
      {
        icon: 'ep:edit-pen',
        buttons: [
          button('demo:signature:query', '查询', 'Query', lookers),
          button('demo:signature:update', '保存', 'Save', lookers),
        ],
      },
    ),
    page(
      'table-select',
      'DemoTableSelect',
      { name: '列表选择器', nameEn: 'Table select' },
      { icon: 'ep:finished', buttons: [looking('demo:table-select:query')] },
    ),
    page(
      'upload',
      'DemoUpload',
      { name: '上传', nameEn: 'Upload' },
      {
        icon: 'ep:upload',
        buttons: [looking('demo:upload:query'), button('demo:upload:create', '上传', 'Upload', lookers)],
      },
    ),
    page(
      'map',
      'DemoMap',
      { name: '地图', nameEn: 'Map' },
      { icon: 'ep:map-location', buttons: [looking('demo:map:query')] },
    ),
    page(
      'rich',
      'DemoRich',
      { name: '富文本', nameEn: 'Rich text' },
      {
        icon: 'ep:document',
        buttons: [
          button('demo:text:query', '查询', 'Query', lookers),
          button('demo:text:update', '保存', 'Save', lookers),
        ],
      },
    ),
    page(
      'websocket',
      'DemoWebsocket',
      { name: 'WebSocket', nameEn: 'Websocket' },
      {
        icon: 'ep:connection',
        buttons: [
          button('demo:talk:query', '连接', 'Connect', lookers),
          button('demo:talk:send', '发送', 'Send', lookers),
        ],
      },
    ),
    // One screen of two entries has one permission.
    parameter(1, [looking('demo:route-param:query')]),
    parameter(2),
    page(
      'document',
      'DemoDocument',
      { name: '内嵌文档', nameEn: 'Inner document' },
      { icon: 'ep:reading', buttons: [looking('demo:document:query')] },
    ),
    page(
      'api-docs',
      'DemoApiDocs',
      { name: '接口文档', nameEn: 'API docs' },
      { icon: 'ep:tickets', roles: [], buttons: [button('infra:api-docs:query', '查询', 'Query', ['api_client'])] },
    ),
  ],
}
