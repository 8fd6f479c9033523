import { sourceFile, wrapLine, importLine, joinLines } from '../server/source-text.ts'
import { type ChildTable, richTextColumns, type CrudModule } from '../server/crud-module.ts'
import { columnLine, importsOf, rowNameCode } from './write-cells.ts'

const partColumns = ({ type, entity, columns }: ChildTable): string[] => [
  joinLines(
    '',
    `const ${entity}Columns = `,
    columns.map((column) => columnLine(type, column)),
  ),
  '',
]

const partTable = ({ set, type, entity }: ChildTable): string =>
  [
    `            <Table<${type}>`,
    '              size="small"',
    '              rowKey="id"',
    '              pagination={false}',
    "              scroll={{ x: 'max-content' }}",
    `              dataSource={data.${set}}`,
    `              columns={${entity}Columns.map((one) => tableColumn(one, lang))}`,
    '            />',
  ].join('\n')

const heading = (type: string, key: string, indent: string): string =>
  `${indent}<Typography.Title level={5}>{labelIn(lang, ${type}.shape.${key})}</Typography.Title>`

const richPart = ({ type, entity }: CrudModule, { key, nullable }: { key: string; nullable: boolean }): string[] => [
  '        <section>',
  heading(type, key, '          '),
  nullable
    ? `          {${entity}.${key} ? <RichText html={${entity}.${key}} /> : '—'}`
    : `          <RichText html={${entity}.${key}} />`,
  '        </section>',
]

const imports = (slice: CrudModule, body: string): (string | false)[] => {
  const { type, set, module, parts } = slice
  const fetched = parts.length > 0
  const said = richTextColumns(slice).length > 0 || fetched
  const whole = fetched ? [`${type}Whole`, set, ...parts.map((part) => part.type)] : []
  return [
    fetched && "import { useQuery } from '@tanstack/react-query'",
    said && "import { labelIn } from '@tocsin/contract/field'",
    importLine([type, ...whole], `@tocsin/contract/${module}`),
    said && importLine(['Flex', ...(fetched ? ['Table'] : []), 'Typography'], 'antd'),
    fetched && importLine(['queryFor'], '#api/query.ts'),
    said && importLine(['useLang'], '#texts/i18n.ts'),
    importLine(['ReadDrawer'], '#ui/overlay/ReadDrawer.tsx'),
    fetched ? importLine(['column', 'tableColumn'], '#ui/column.tsx') : importLine(['column'], '#ui/column.tsx'),
    fetched && importLine(['ErrorState'], '#ui/ErrorState.tsx'),
    importLine(['DescriptionList'], '#ui/DescriptionList.tsx'),
    ...importsOf(body),
  ]
}

/** Rich texts and child rows, below the description list. */
const below = (slice: CrudModule): string[] => {
  const { type, parts } = slice
  return [
    ...richTextColumns(slice).flatMap((column) => richPart(slice, column)),
    ...(parts.length > 0
      ? ['        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}']
      : []),
    ...parts.flatMap((part) => [
      '        {data && (',
      '          <section>',
      heading(`${type}Whole`, part.set, '            '),
      partTable(part),
      '          </section>',
      '        )}',
    ]),
  ]
}

/** Emits the detail of one row. */
export const writeDetail = (slice: CrudModule): string => {
  const { type, entity, set, columns, parts } = slice
  const more = below(slice)
  const facts = columns
    .filter(({ form }) => form !== 'EDITOR' && form !== 'PARENT')
    .map((column) => columnLine(type, column))
  const body = [...facts, ...more, ...parts.flatMap(partColumns)].join('\n')
  const props = `{ ${entity}, onClose }: { ${entity}: ${type}; onClose: () => void }`
  const shown = `<DescriptionList row={${entity}} columns={facts} />`
  const wrapped = ['      <Flex vertical gap="large">', `        ${shown}`, ...more, '      </Flex>']
  const query = `useQuery(queryFor(${set}.get, { query: { id: ${entity}.id } }))`
  return sourceFile(
    ...imports(slice, body),
    '',
    joinLines('', 'const facts = ', [...facts, ...(slice.edited ? times(type) : [])]),
    '',
    ...parts.flatMap(partColumns),
    '/** The detail of one row. */',
    wrapLine(`export const ${type}Detail = (${props}) => {`, [
      `export const ${type}Detail = ({`,
      `  ${entity},`,
      '  onClose,',
      '}: {',
      `  ${entity}: ${type}`,
      '  onClose: () => void',
      '}) => {',
    ]),
    more.length > 0 && '  const lang = useLang()',
    parts.length > 0 && `  const { data, error, refetch } = ${query}`,
    '  return (',
    `    <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={${rowNameCode(slice)}}>`,
    ...(more.length > 0 ? wrapped : [`      ${shown}`]),
    '    </ReadDrawer>',
    '  )',
    '}',
  )
}

const times = (type: string): string[] => ['createTime', 'updateTime'].map((name) => `  column(${type}, '${name}'),`)
