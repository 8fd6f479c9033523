import { sourceFile, wrapLine, importLine, joinLines } from '../server/source-text.ts'
import { isMovable, isTree, type CrudModule } from '../server/crud-module.ts'
import {
  columnLine,
  filterLines,
  importsOf,
  antdImports,
  titleColumn,
  rowNameCode,
  dictLabelsUsed,
} from './write-cells.ts'

export const columnsOf = (slice: CrudModule): string[] => {
  const listed = slice.columns.filter(({ inList, form }) => inList && form !== 'EDITOR' && form !== 'PARENT')
  const main = titleColumn(slice)
  return [
    ...listed.map((column) => columnLine(slice.type, column, column === main)),
    ...(slice.edited ? [`  column(${slice.type}, 'createTime', { wideOnly: true }),`] : []),
  ]
}

const deletion = (slice: CrudModule): string => {
  const run = `() => void remove(${slice.entity}.id, ${rowNameCode(slice)})`
  const entries = ["key: 'delete'", "label: t('list.delete')", `run: ${run}`, 'danger: true']
  return wrapLine(`        mayDelete && { ${entries.join(', ')} },`, [
    '        mayDelete && {',
    ...entries.map((entry) => `          ${entry},`),
    '        },',
  ])
}

const item = (may: string, item: string, label: string, entity: string): string => {
  const entries = [`key: '${item}'`, `label: t('${label}')`, `run: () => onOpen({ what: '${item}', ${entity} })`]
  return wrapLine(`        ${may}{ ${entries.join(', ')} },`, [
    `        ${may}{`,
    ...entries.map((entry) => `          ${entry},`),
    '        },',
  ])
}

const actions = (slice: CrudModule): string => {
  const { type, entity, set, permission } = slice
  const tree = isTree(slice)
  const steps = isMovable(slice)
  const names = [entity, ...(steps ? ['steps'] : []), 'onOpen']
  const types = [`${entity}: ${type}`, ...(steps ? ['steps: RowAction[]'] : []), 'onOpen: (open: Open) => void']
  return sourceFile(
    wrapLine(`const ${type}Actions = ({ ${names.join(', ')} }: { ${types.join('; ')} }) => {`, [
      `const ${type}Actions = ({`,
      ...names.map((name) => `  ${name},`),
      '}: {',
      ...types.map((item) => `  ${item}`),
      '}) => {',
    ]),
    '  const { t } = useTranslation()',
    tree && `  const mayCreate = useHasPermission('${permission}:create')`,
    `  const mayUpdate = useHasPermission('${permission}:update')`,
    `  const mayDelete = useHasPermission('${permission}:delete')`,
    `  const remove = useDeletion(${set}.delete)`,
    '  return (',
    '    <RowActions',
    '      items={[',
    item('', 'detail', 'list.detail', entity),
    item('mayUpdate && ', 'edit', 'list.edit', entity),
    ...(tree
      ? [
          '        mayCreate && {',
          "          key: 'below',",
          "          label: t('system.createBelow'),",
          `          run: () => onOpen({ what: 'new', below: ${entity}.id }),`,
          '        },',
        ]
      : []),
    ...(steps ? ['        ...steps,'] : []),
    deletion(slice),
    '      ]}',
    '    />',
    '  )',
    '}',
  )
}

const opened = (slice: CrudModule): string => {
  const { type, entity } = slice
  const below = isTree(slice) ? ' parentId={open.below}' : ''
  const none = isTree(slice) ? ' parentId={undefined}' : ''
  const fresh = `return <${type}Drawer ${entity}={undefined}${below} onClose={onClose} />`
  const edit = `return <${type}Drawer ${entity}={open.${entity}}${none} onClose={onClose} />`
  return sourceFile(
    `const Opened = ({ open, onClose }: { open: Open; onClose: () => void }) => {`,
    '  switch (open.what) {',
    "    case 'new':",
    `      ${fresh}`,
    "    case 'edit':",
    `      ${edit}`,
    "    case 'detail':",
    `      return <${type}Detail ${entity}={open.${entity}} onClose={onClose} />`,
    '  }',
    '}',
  )
}

const openType = (slice: CrudModule): string => {
  const { type, entity } = slice
  const fresh = isTree(slice) ? "{ what: 'new'; below: number | undefined }" : "{ what: 'new' }"
  return `type Open = ${fresh} | { what: 'edit' | 'detail'; ${entity}: ${type} }`
}

const page = (slice: CrudModule, filters: boolean): string => {
  const { type, entity, set, permission, table } = slice
  const tree = isTree(slice)
  const fresh = tree ? "{ what: 'new', below: undefined }" : "{ what: 'new' }"
  const movable = isMovable(slice)
  const given = movable ? `(${entity}, steps)` : `(${entity})`
  const element = `<${type}Actions ${entity}={${entity}}${movable ? ' steps={steps}' : ''} onOpen={setOpen} />`
  return sourceFile(
    `/** ${table.titleEn.replaceAll('*/', '* /')}. */`,
    `export const ${type}Page = () => {`,
    '  const { t } = useTranslation()',
    '  const [open, setOpen] = useState<Open>()',
    `  const mayCreate = useHasPermission('${permission}:create')`,
    `  const mayExport = useHasPermission('${permission}:export')`,
    ...(movable
      ? [`  const mayUpdate = useHasPermission('${permission}:update')`, `  const move = useApiMutation(${set}.move)`]
      : []),
    '  const create = mayCreate && (',
    `    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(${fresh})}>`,
    "      {t('list.create')}",
    '    </Button>',
    '  )',
    '  return (',
    '    <>',
    tree ? '      <TreeList' : '      <ListPage',
    `        query={${type}Query}`,
    `        source={(query) => queryFor(${set}.${tree ? 'list' : 'page'}, { query })}`,
    '        columns={columns}',
    !tree && '        rowKey={({ id }) => id}',
    filters && '        filters={filters}',
    '        left={create}',
    `        exporting={(query) => mayExport && <ExportButton calls={${set}} query={query} />}`,
    wrapLine(`        actions={${given} => ${element}}`, [
      `        actions={${given} => (`,
      `          ${element}`,
      '        )}',
    ]),
    ...(movable
      ? [
          '        moving={',
          '          mayUpdate',
          `            ? { holds: () => true, move: ({ id, version }, to) => move.mutate({ body: { id, version, ...to } }) }`,
          '            : undefined',
          '        }',
        ]
      : []),
    tree ? '        openDepth={2}' : `        onOpen={(${entity}) => setOpen({ what: 'detail', ${entity} })}`,
    `        empty={{ text: t('${entity}.none'), next: create }}`,
    '      />',
    '      {open && <Opened open={open} onClose={() => setOpen(undefined)} />}',
    '    </>',
    '  )',
    '}',
  )
}

/** Emits the list page. */
export const writePage = (slice: CrudModule): string => {
  const { type, set, module, columns } = slice
  const filters = filterLines(slice)
  const body = [...columnsOf(slice), ...filters].join('\n')
  const antd = ['Button', ...antdImports(body, ['Input', 'InputNumber', 'Select'])]
  const filterNames = ['Filter', ...(body.includes('<YesNo />') ? ['YesNo'] : [])]
  const tree = isTree(slice)
  return sourceFile(
    "import { PlusOutlined } from '@ant-design/icons'",
    importLine([type, `${type}Query`, set, ...dictLabelsUsed(body, columns)], `@tocsin/contract/${module}`),
    importLine(antd, 'antd'),
    "import { useState } from 'react'",
    "import { useTranslation } from 'react-i18next'",
    importLine(['queryFor', ...(isMovable(slice) ? ['useApiMutation'] : [])], '#api/query.ts'),
    importLine(['useHasPermission'], '#api/session.ts'),
    importLine([...(isMovable(slice) ? ['type RowAction'] : []), 'RowActions'], '#ui/list/RowActions.tsx'),
    tree && importLine(['TreeList'], '#ui/tree/TreeList.tsx'),
    importLine(['useDeletion'], '#ui/prompt/use-deletion.ts'),
    importLine(['column'], '#ui/column.tsx'),
    importLine(['ExportButton'], '#ui/export/ExportButton.tsx'),
    ...importsOf(body),
    filters.length > 0 && importLine(filterNames, '#ui/list/filters.tsx'),
    !tree && importLine(['ListPage'], '#ui/list/ListPage.tsx'),
    `import { ${type}Detail } from './${type}Detail.tsx'`,
    `import { ${type}Drawer } from './${type}Drawer.tsx'`,
    '',
    joinLines('', 'const columns = ', columnsOf(slice)),
    '',
    filters.length > 0 && ['const filters = (', '  <>', ...filters, '  </>', ')', ''].join('\n'),
    openType(slice),
    '',
    actions(slice),
    opened(slice),
    page(slice, filters.length > 0).trimEnd(),
  )
}
