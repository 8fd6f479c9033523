import { sourceFile, wrapLine, importLine, joinLines } from '../server/source-text.ts'
import { isTree, type CrudModule } from '../server/crud-module.ts'
import { filterLines, importsOf, antdImports, dictLabelsUsed } from '../web/write-cells.ts'
import { columnsOf } from '../web/write-page.ts'

const page = (slice: CrudModule, filters: boolean): string => {
  const { type, entity, set, permission, table } = slice
  const tree = isTree(slice)
  const detail = `{ key: 'detail', label: t('list.detail'), run: () => setOpen(${entity}) }`
  return sourceFile(
    `/** ${table.titleEn.replaceAll('*/', '* /')}: read-only. */`,
    `export const ${type}Page = () => {`,
    '  const { t } = useTranslation()',
    `  const [open, setOpen] = useState<${type}>()`,
    `  const mayExport = useHasPermission('${permission}:export')`,
    '  return (',
    '    <>',
    tree ? '      <TreeList' : '      <ListPage',
    `        query={${type}Query}`,
    `        source={(query) => queryFor(${set}.${tree ? 'list' : 'page'}, { query })}`,
    '        columns={columns}',
    !tree && '        rowKey={({ id }) => id}',
    filters && '        filters={filters}',
    tree && '        left={null}',
    `        exporting={(query) => mayExport && <ExportButton calls={${set}} query={query} />}`,
    wrapLine(`        actions={(${entity}) => <RowActions items={[${detail}]} />}`, [
      `        actions={(${entity}) => (`,
      `          <RowActions items={[${detail}]} />`,
      '        )}',
    ]),
    tree ? '        openDepth={2}' : '        onOpen={setOpen}',
    `        empty={{ text: t('${entity}.none') }}`,
    '      />',
    `      {open && <${type}Detail ${entity}={open} onClose={() => setOpen(undefined)} />}`,
    '    </>',
    '  )',
    '}',
  )
}

/** Emits the list page of a read-only table. */
export const writeReadOnlyPage = (slice: CrudModule): string => {
  const { type, set, module, columns } = slice
  const filters = filterLines(slice)
  const body = [...columnsOf(slice), ...filters].join('\n')
  const antd = antdImports(body, ['Input', 'InputNumber', 'Select'])
  const filterNames = ['Filter', ...(body.includes('<YesNo />') ? ['YesNo'] : [])]
  const tree = isTree(slice)
  return sourceFile(
    importLine([type, `${type}Query`, set, ...dictLabelsUsed(body, columns)], `@tocsin/contract/${module}`),
    antd.length > 0 && importLine(antd, 'antd'),
    "import { useState } from 'react'",
    "import { useTranslation } from 'react-i18next'",
    importLine(['queryFor'], '#api/query.ts'),
    importLine(['useHasPermission'], '#api/session.ts'),
    importLine(['RowActions'], '#ui/list/RowActions.tsx'),
    tree && importLine(['TreeList'], '#ui/tree/TreeList.tsx'),
    importLine(['column'], '#ui/column.tsx'),
    importLine(['ExportButton'], '#ui/export/ExportButton.tsx'),
    ...importsOf(body),
    filters.length > 0 && importLine(filterNames, '#ui/list/filters.tsx'),
    !tree && importLine(['ListPage'], '#ui/list/ListPage.tsx'),
    `import { ${type}Detail } from './${type}Detail.tsx'`,
    '',
    joinLines('', 'const columns = ', columnsOf(slice)),
    '',
    filters.length > 0 && ['const filters = (', '  <>', ...filters, '  </>', ')', ''].join('\n'),
    page(slice, filters.length > 0).trimEnd(),
  )
}
