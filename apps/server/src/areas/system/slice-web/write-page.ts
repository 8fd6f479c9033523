import { file, fitted, importing, joined } from '../slice/layout.ts'
import { isMovable, isTree, type Slice } from '../slice/slice.ts'
import { columnLine, filterLines, importsOf, kitOf, mainOf, nameOf, wordsIn } from './write-cells.ts'

export const columnsOf = (slice: Slice): string[] => {
  const listed = slice.columns.filter(({ inList, form }) => inList && form !== 'EDITOR' && form !== 'PARENT')
  const main = mainOf(slice)
  return [
    ...listed.map((column) => columnLine(slice.type, column, column === main)),
    ...(slice.edited ? [`  column(${slice.type}, 'createTime', { wideOnly: true }),`] : []),
  ]
}

const deletion = (slice: Slice): string => {
  const run = `() => void remove(${slice.entity}.id, ${nameOf(slice)})`
  const entries = ["key: 'delete'", "label: t('list.delete')", `run: ${run}`, 'danger: true']
  return fitted(`        mayDelete && { ${entries.join(', ')} },`, [
    '        mayDelete && {',
    ...entries.map((one) => `          ${one},`),
    '        },',
  ])
}

const item = (may: string, what: string, label: string, entity: string): string => {
  const entries = [`key: '${what}'`, `label: t('${label}')`, `run: () => onOpen({ what: '${what}', ${entity} })`]
  return fitted(`        ${may}{ ${entries.join(', ')} },`, [
    `        ${may}{`,
    ...entries.map((one) => `          ${one},`),
    '        },',
  ])
}

const actions = (slice: Slice): string => {
  const { type, entity, set, permission } = slice
  const tree = isTree(slice)
  const steps = isMovable(slice)
  const names = [entity, ...(steps ? ['steps'] : []), 'onOpen']
  const types = [`${entity}: ${type}`, ...(steps ? ['steps: RowAction[]'] : []), 'onOpen: (open: Open) => void']
  return file(
    fitted(`const ${type}Actions = ({ ${names.join(', ')} }: { ${types.join('; ')} }) => {`, [
      `const ${type}Actions = ({`,
      ...names.map((one) => `  ${one},`),
      '}: {',
      ...types.map((one) => `  ${one}`),
      '}) => {',
    ]),
    '  const { t } = useTranslation()',
    tree && `  const mayCreate = useCan('${permission}:create')`,
    `  const mayUpdate = useCan('${permission}:update')`,
    `  const mayDelete = useCan('${permission}:delete')`,
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

const opened = (slice: Slice): string => {
  const { type, entity } = slice
  const below = isTree(slice) ? ' parentId={open.below}' : ''
  const none = isTree(slice) ? ' parentId={undefined}' : ''
  const fresh = `return <${type}Drawer ${entity}={undefined}${below} onClose={onClose} />`
  const edit = `return <${type}Drawer ${entity}={open.${entity}}${none} onClose={onClose} />`
  return file(
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

const openType = (slice: Slice): string => {
  const { type, entity } = slice
  const fresh = isTree(slice) ? "{ what: 'new'; below: number | undefined }" : "{ what: 'new' }"
  return `type Open = ${fresh} | { what: 'edit' | 'detail'; ${entity}: ${type} }`
}

const page = (slice: Slice, filters: boolean): string => {
  const { type, entity, set, permission, table } = slice
  const tree = isTree(slice)
  const fresh = tree ? "{ what: 'new', below: undefined }" : "{ what: 'new' }"
  const movable = isMovable(slice)
  const given = movable ? `(${entity}, steps)` : `(${entity})`
  const element = `<${type}Actions ${entity}={${entity}}${movable ? ' steps={steps}' : ''} onOpen={setOpen} />`
  return file(
    `/** ${table.titleEn.replaceAll('*/', '* /')}. */`,
    `export const ${type}Page = () => {`,
    '  const { t } = useTranslation()',
    '  const [open, setOpen] = useState<Open>()',
    `  const mayCreate = useCan('${permission}:create')`,
    `  const mayExport = useCan('${permission}:export')`,
    ...(movable ? [`  const mayUpdate = useCan('${permission}:update')`, `  const move = useWrite(${set}.move)`] : []),
    '  const create = mayCreate && (',
    `    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(${fresh})}>`,
    "      {t('list.create')}",
    '    </Button>',
    '  )',
    '  return (',
    '    <>',
    tree ? '      <TreeList' : '      <ListPage',
    `        query={${type}Query}`,
    `        source={(query) => read(${set}.${tree ? 'list' : 'page'}, { query })}`,
    '        columns={columns}',
    !tree && '        rowKey={({ id }) => id}',
    filters && '        filters={filters}',
    '        left={create}',
    `        exporting={(query) => mayExport && <ExportButton calls={${set}} query={query} />}`,
    fitted(`        actions={${given} => ${element}}`, [
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

/** The list. */
export const writePage = (slice: Slice): string => {
  const { type, set, module, columns } = slice
  const filters = filterLines(slice)
  const body = [...columnsOf(slice), ...filters].join('\n')
  const antd = ['Button', ...kitOf(body, ['Input', 'InputNumber', 'Select'])]
  const filterNames = ['Filter', ...(body.includes('<YesNo />') ? ['YesNo'] : [])]
  const tree = isTree(slice)
  return file(
    "import { PlusOutlined } from '@ant-design/icons'",
    importing([type, `${type}Query`, set, ...wordsIn(body, columns)], `@tocsin/contract/${module}`),
    importing(antd, 'antd'),
    "import { useState } from 'react'",
    "import { useTranslation } from 'react-i18next'",
    importing(['read', ...(isMovable(slice) ? ['useWrite'] : [])], '#api/query.ts'),
    importing(['useCan'], '#api/session.ts'),
    importing([...(isMovable(slice) ? ['type RowAction'] : []), 'RowActions'], '#areas/system/RowActions.tsx'),
    tree && importing(['TreeList'], '#areas/system/TreeList.tsx'),
    importing(['useDeletion'], '#ui/ask/use-deletion.ts'),
    importing(['column'], '#ui/column.tsx'),
    importing(['ExportButton'], '#ui/export/ExportButton.tsx'),
    ...importsOf(body),
    filters.length > 0 && importing(filterNames, '#ui/list/filters.tsx'),
    !tree && importing(['ListPage'], '#ui/list/ListPage.tsx'),
    `import { ${type}Detail } from './${type}Detail.tsx'`,
    `import { ${type}Drawer } from './${type}Drawer.tsx'`,
    '',
    joined('', 'const columns = ', columnsOf(slice)),
    '',
    filters.length > 0 && ['const filters = (', '  <>', ...filters, '  </>', ')', ''].join('\n'),
    openType(slice),
    '',
    actions(slice),
    opened(slice),
    page(slice, filters.length > 0).trimEnd(),
  )
}
