import { file, fitted, importing, literal } from './layout.ts'
import type { Slice, SliceColumn } from './slice.ts'
import { filtersOf } from './write-contract.ts'

/** Chosen among the words of the database. */
export const choices = ({ wordsName }: SliceColumn): string =>
  `options={${wordsName}.map((value) => ({ value, label: value }))}`

const filterInput = (column: SliceColumn): string => {
  const { kind, words, dictType, queryType } = column
  if (words.length > 0) return `<Select allowClear${queryType === 'IN' ? ' mode="multiple"' : ''} ${choices(column)} />`
  if (dictType !== null) return `<DictSelect type="${dictType}" allowClear />`
  if (kind === 'BOOL') return '<YesNo />'
  if (kind === 'DAY') return '<DayPick />'
  if (kind === 'INSTANT') return '<InstantPick />'
  if (kind === 'TEXT') return `<Input allowClear maxLength={${Math.min(column.length ?? 100, 200)}} />`
  return "<InputNumber precision={0} style={{ width: '100%' }} />"
}

const jsx = (indent: string, element: string): string => {
  const [, name, rest] = /^<(\w+) (.*) \/>$/.exec(element) ?? []
  if (!name || !rest) return `${indent}${element}`
  // Attributes of ours hold no blanks of their own but within braces.
  const attributes = rest.match(/\w+(?:=(?:"[^"]*"|\{(?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\})*\}))?/g) ?? []
  return fitted(`${indent}${element}`, [
    `${indent}<${name}`,
    ...attributes.map((one) => `${indent}  ${one}`),
    `${indent}/>`,
  ])
}

const filterLines = ({ type, columns }: Slice): string[] =>
  columns
    .filter(({ inQuery }) => inQuery)
    .flatMap((column) =>
      filtersOf(column).map(({ key }) =>
        [`    <Filter of={${type}Query} name="${key}">`, jsx('      ', filterInput(column)), '    </Filter>'].join(
          '\n',
        ),
      ),
    )

const shownAs = ({ kind, dictType, form, nullable }: SliceColumn): string | undefined => {
  if (form === 'SCHOOL') return '(id) => <SchoolName id={id} />'
  if (dictType !== null) return `(value) => <DictTag type=${literal(dictType).replaceAll("'", '"')} value={value} />`
  if (kind === 'BOOL') return '(yes) => <YesNoText yes={yes} />'
  if (kind === 'TEXT' && nullable) return '(text) => <LongText text={text} />'
  return undefined
}

const columnLine = ({ type }: Slice, column: SliceColumn, main: boolean): string => {
  const show = main ? undefined : shownAs(column)
  if (!show && !main) return `  column(${type}, '${column.key}'),`
  return [`  column(${type}, '${column.key}', {`, main && '    main: true,', show && `    show: ${show},`, '  }),']
    .filter(Boolean)
    .join('\n')
}

const columnsOf = (slice: Slice): string[] => {
  const listed = slice.columns.filter(({ inList }) => inList)
  const main = listed.find(({ kind, words, dictType }) => kind === 'TEXT' && words.length === 0 && dictType === null)
  return [
    ...listed.map((column) => columnLine(slice, column, column === main)),
    `  column(${slice.type}, 'createTime', {`,
    '    wideOnly: true,',
    '  }),',
  ]
}

const schoolName = `/** A school by its name, as far as it is in sight. */
const SchoolName = ({ id }: { id: number | null }) => {
  const { data } = useQuery({ ...read(schools.simpleList), staleTime: 60_000 })
  return <>{data?.find((one) => one.id === id)?.name ?? id ?? '—'}</>
}
`
const yesNo = `const YesNoText = ({ yes }: { yes: boolean | null }) => {
  const { t } = useTranslation()
  return <>{yes === null ? '—' : t(yes ? 'list.yes' : 'list.no')}</>
}
`

const removing = (entity: string): string => {
  const args = [`{ query: { id: ${entity}.id } }`, "{ onSuccess: () => notify.success(t('list.deleted')) }"]
  return fitted(`    remove.mutate(${args.join(', ')})`, [
    '    remove.mutate(',
    ...args.map((arg) => `      ${arg},`),
    '    )',
  ])
}

const rowActions = ({ type, entity }: Slice): string => {
  const attributes = [`${entity}={${entity}}`, `onEdit={() => setOpen(${entity})}`]
  const element = `<${type}Actions ${attributes.join(' ')} />`
  return fitted(`        actions={(${entity}) => ${element}}`, [
    `        actions={(${entity}) => (`,
    fitted(`          ${element}`, [
      `          <${type}Actions`,
      ...attributes.map((one) => `            ${one}`),
      '          />',
    ]),
    '        )}',
  ])
}

const actions = ({ type, entity, set, permission, columns }: Slice): string => {
  const named = columns.find(({ inList, kind }) => inList && kind === 'TEXT')
  const name = named
    ? `${entity}.${named.key}${named.nullable ? ` ?? String(${entity}.id)` : ''}`
    : `String(${entity}.id)`
  const props = `{ ${entity}, onEdit }: { ${entity}: ${type}; onEdit: () => void }`
  const asked = `    if (!(await confirm({ title: t('list.deleteAsk'), text: ${name}, danger: true }))) return`
  return file(
    fitted(`const ${type}Actions = (${props}) => {`, [
      `const ${type}Actions = ({`,
      `  ${entity},`,
      '  onEdit,',
      '}: {',
      `  ${entity}: ${type}`,
      '  onEdit: () => void',
      '}) => {',
    ]),
    '  const { t } = useTranslation()',
    `  const mayUpdate = useCan('${permission}:update')`,
    `  const mayDelete = useCan('${permission}:delete')`,
    `  const remove = useWrite(${set}.delete)`,
    '  const ask = async () => {',
    asked,
    removing(entity),
    '  }',
    '  return (',
    '    <RowActions',
    '      items={[',
    "        mayUpdate && { key: 'edit', label: t('list.edit'), run: onEdit },",
    "        mayDelete && { key: 'delete', label: t('list.delete'), run: () => void ask(), danger: true },",
    '      ]}',
    '    />',
    '  )',
    '}',
  )
}

const page = (slice: Slice, filters: boolean): string => {
  const { type, entity, set, permission, table } = slice
  const drawer = `<${type}Drawer ${entity}={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />`
  return file(
    `/** ${table.titleEn.replaceAll('*/', '* /')}. */`,
    `export const ${type}Page = () => {`,
    '  const { t } = useTranslation()',
    `  const [open, setOpen] = useState<${type} | 'new'>()`,
    `  const mayCreate = useCan('${permission}:create')`,
    '  const create = mayCreate && (',
    '    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(\'new\')}>',
    "      {t('list.create')}",
    '    </Button>',
    '  )',
    '  return (',
    '    <>',
    '      <ListPage',
    `        query={${type}Query}`,
    `        source={(query) => read(${set}.page, { query })}`,
    '        columns={columns}',
    '        rowKey={({ id }) => id}',
    filters && '        filters={filters}',
    '        left={create}',
    rowActions(slice),
    `        empty={{ text: t('${entity}.none'), next: create }}`,
    '      />',
    fitted(`      {open && ${drawer}}`, [
      '      {open && (',
      fitted(`        ${drawer}`, [
        `        <${type}Drawer`,
        `          ${entity}={open === 'new' ? undefined : open}`,
        '          onClose={() => setOpen(undefined)}',
        '        />',
      ]),
      '      )}',
    ]),
    '    </>',
    '  )',
    '}',
  )
}

/** The list. */
export const writePage = (slice: Slice): string => {
  const { type, set, module, columns } = slice
  const filters = filterLines(slice)
  const body = columnsOf(slice).join('\n')
  const inputs = filters.join('\n')
  const uses = (name: string) => inputs.includes(`<${name}`)
  const words = columns
    .filter(({ wordsName }) => new RegExp(`\\b${wordsName}\\b`).test(inputs))
    .map((one) => one.wordsName)
  const antd = ['Button', 'Input', 'InputNumber', 'Select'].filter((name) =>
    name === 'Button' ? true : new RegExp(`<${name}\\b`).test(inputs),
  )
  const school = body.includes('<SchoolName')
  const filterNames = ['Filter', ...(uses('YesNo') ? ['YesNo'] : [])]
  return file(
    "import { PlusOutlined } from '@ant-design/icons'",
    school && "import { useQuery } from '@tanstack/react-query'",
    school && "import { schools } from '@tocsin/contract/school/school'",
    importing([type, `${type}Query`, set, ...words], `@tocsin/contract/${module}`),
    importing(antd, 'antd'),
    "import { useState } from 'react'",
    "import { useTranslation } from 'react-i18next'",
    importing(['read', 'useWrite'], '#api/query.ts'),
    importing(['useCan'], '#api/session.ts'),
    importing(['RowActions'], '#areas/system/RowActions.tsx'),
    importing(['column'], '#ui/column.tsx'),
    importing(['confirm'], '#ui/confirm.ts'),
    uses('DayPick') && importing(['DayPick'], '#ui/dates/DayPick.tsx'),
    uses('InstantPick') && importing(['InstantPick'], '#ui/dates/InstantPick.tsx'),
    uses('DictSelect') && importing(['DictSelect'], '#ui/dict/DictSelect.tsx'),
    body.includes('<DictTag') && importing(['DictTag'], '#ui/dict/DictTag.tsx'),
    filters.length > 0 && importing(filterNames, '#ui/list/filters.tsx'),
    importing(['ListPage'], '#ui/list/ListPage.tsx'),
    body.includes('<LongText') && importing(['LongText'], '#ui/LongText.tsx'),
    importing(['notify'], '#ui/notify.ts'),
    `import { ${type}Drawer } from './${type}Drawer.tsx'`,
    '',
    school && schoolName,
    body.includes('<YesNoText') && yesNo,
    'const columns = [',
    body,
    ']',
    '',
    filters.length > 0 && ['const filters = (', '  <>', ...filters, '  </>', ')', ''].join('\n'),
    actions(slice),
    page(slice, filters.length > 0).trimEnd(),
  )
}
