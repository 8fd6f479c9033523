import { file, fitted, importing, joined } from '../slice/layout.ts'
import { isTree, type Slice } from '../slice/slice.ts'
import { filterLines, importsOf, kitOf, wordsIn } from '../slice-web/write-cells.ts'
import { columnsOf } from '../slice-web/write-page.ts'

const page = (slice: Slice, filters: boolean): string => {
  const { type, entity, set, permission, table } = slice
  const tree = isTree(slice)
  const detail = `{ key: 'detail', label: t('list.detail'), run: () => setOpen(${entity}) }`
  return file(
    `/** ${table.titleEn.replaceAll('*/', '* /')}: to look at. */`,
    `export const ${type}Page = () => {`,
    '  const { t } = useTranslation()',
    `  const [open, setOpen] = useState<${type}>()`,
    `  const mayExport = useCan('${permission}:export')`,
    '  return (',
    '    <>',
    tree ? '      <TreeList' : '      <ListPage',
    `        query={${type}Query}`,
    `        source={(query) => read(${set}.${tree ? 'list' : 'page'}, { query })}`,
    '        columns={columns}',
    !tree && '        rowKey={({ id }) => id}',
    filters && '        filters={filters}',
    tree && '        left={null}',
    `        exporting={(query) => mayExport && <ExportButton calls={${set}} query={query} />}`,
    fitted(`        actions={(${entity}) => <RowActions items={[${detail}]} />}`, [
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

/** The list of rows that nothing here writes. */
export const writeLookedPage = (slice: Slice): string => {
  const { type, set, module, columns } = slice
  const filters = filterLines(slice)
  const body = [...columnsOf(slice), ...filters].join('\n')
  const antd = kitOf(body, ['Input', 'InputNumber', 'Select'])
  const filterNames = ['Filter', ...(body.includes('<YesNo />') ? ['YesNo'] : [])]
  const tree = isTree(slice)
  return file(
    importing([type, `${type}Query`, set, ...wordsIn(body, columns)], `@tocsin/contract/${module}`),
    antd.length > 0 && importing(antd, 'antd'),
    "import { useState } from 'react'",
    "import { useTranslation } from 'react-i18next'",
    importing(['read'], '#api/query.ts'),
    importing(['useCan'], '#api/session.ts'),
    importing(['RowActions'], '#areas/system/RowActions.tsx'),
    tree && importing(['TreeList'], '#areas/system/TreeList.tsx'),
    importing(['column'], '#ui/column.tsx'),
    importing(['ExportButton'], '#ui/export/ExportButton.tsx'),
    ...importsOf(body),
    filters.length > 0 && importing(filterNames, '#ui/list/filters.tsx'),
    !tree && importing(['ListPage'], '#ui/list/ListPage.tsx'),
    `import { ${type}Detail } from './${type}Detail.tsx'`,
    '',
    joined('', 'const columns = ', columnsOf(slice)),
    '',
    filters.length > 0 && ['const filters = (', '  <>', ...filters, '  </>', ')', ''].join('\n'),
    page(slice, filters.length > 0).trimEnd(),
  )
}
