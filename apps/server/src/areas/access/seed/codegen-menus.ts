import { button, type MenuSeed } from './menu-seed.ts'

/** For developers of the product: the administrator. */
export const codegenMenu: MenuSeed = {
  name: '代码生成',
  nameEn: 'Code generator',
  path: 'codegen',
  component: 'codegen/index',
  componentName: 'Codegen',
  icon: 'model',
  roles: [],
  buttons: [
    button('infra:codegen:query', '查询', 'Query', []),
    button('infra:codegen:create', '导入', 'Import', []),
    button('infra:codegen:update', '修改', 'Update', []),
    button('infra:codegen:delete', '删除', 'Delete', []),
    button('infra:codegen:preview', '预览', 'Preview', []),
    button('infra:codegen:download', '生成代码', 'Download', []),
  ],
}
