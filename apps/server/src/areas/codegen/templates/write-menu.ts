import type { CrudModule } from './crud-module.ts'
import { pascal } from './names.ts'
import { literal, sourceFile } from './source-text.ts'

/** The menu entry, visible to the administrator until it is assigned to roles. */
export const writeMenu = (module: CrudModule): string => {
  const { table, entity, screen, permission, kebab, type, files } = module
  const up = files.menu.split('/').length > 7 ? '..' : '.'
  const buttons = [
    ['query', '查询', 'Query'],
    ...(module.readOnly
      ? []
      : [
          ['create', '新增', 'Create'],
          ['update', '修改', 'Update'],
          ['delete', '删除', 'Delete'],
        ]),
    ['export', '导出', 'Export'],
  ]
  return sourceFile(
    `import { button, type MenuSeed } from '${up}/menu-seed.ts'`,
    '',
    `export const ${entity}Menu: MenuSeed = {`,
    `  name: ${literal(table.title)},`,
    `  nameEn: ${literal(table.titleEn)},`,
    table.menuUnder !== null && `  under: ${literal(table.menuUnder)},`,
    `  path: '${table.menuUnder === null ? '/' : ''}${kebab}',`,
    `  component: '${screen}',`,
    `  componentName: '${pascal(table.area)}${type}',`,
    "  icon: 'model',",
    '  roles: [],',
    '  buttons: [',
    ...buttons.map(([verb, zh, en]) => `    button('${permission}:${verb}', '${zh}', '${en}', []),`),
    '  ],',
    '}',
  )
}
