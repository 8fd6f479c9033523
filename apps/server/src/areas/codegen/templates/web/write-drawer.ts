import { sourceFile, wrapLine, importLine } from '../server/source-text.ts'
import { isTree, type CrudModule, type CrudColumn } from '../server/crud-module.ts'
import { importsOf, antdImports, rowNameCode, dictLabelsUsed } from './write-cells.ts'
import { formFieldCode } from './write-inputs.ts'

const kit = ['Checkbox', 'Input', 'InputNumber', 'Radio', 'Select', 'Switch']

const fields = (slice: CrudModule): string[] => {
  const { entity, formType, columns, parts } = slice
  const inForm = columns.filter(({ form }) => form)
  const first = inForm.find(({ form }) => form !== 'HIDDEN')
  return [
    ...inForm.map((column) => {
      const place = { of: formType, entity, first: column === first }
      if (column.inCreate && column.inUpdate) return formFieldCode(column, { ...place, indent: '      ' })
      const only = column.inCreate ? `!${entity}` : entity
      return [`      {${only} && (`, formFieldCode(column, { ...place, indent: '        ' }), '      )}'].join('\n')
    }),
    ...parts.map((part) => `      <${part.type}Fields />`),
  ]
}

/** Initial values of a new row: an untouched switch is off. */
const initial = (slice: CrudModule): string => {
  const off = slice.columns
    .filter(({ form, kind, inCreate }) => form && form !== 'HIDDEN' && kind === 'BOOL' && inCreate)
    .map(({ key, preset }) => `${key}: ${preset === 'true'}`)
  const all = [...(isTree(slice) ? ['parentId: parentId ?? TOP'] : []), ...off]
  return all.length > 0 ? `{ ${all.join(', ')} }` : '{}'
}

/** The form has another shape than the list: the top of a tree is 0, child rows are drafts. */
const begins = (slice: CrudModule): boolean => isTree(slice) || slice.parts.length > 0

const given = (slice: CrudModule): string => {
  const of = slice.parts.length > 0 ? 'data' : slice.entity
  return begins(slice) ? `${of} && begin(${of})` : of
}

const begin = (slice: CrudModule): string => {
  const { entity, parts } = slice
  const head = `const begin = (${entity}: ${wholeOf(slice)}) => ({`
  const entries = [
    `...${entity}`,
    ...(isTree(slice) ? [`parentId: ${entity}.parentId ?? TOP`] : []),
    ...parts.map(({ set, type }) => `${set}: toDrafts(${type}Draft, ${entity}.${set})`),
  ]
  return wrapLine(`${head} ${entries.join(', ')} })`, [head, ...entries.map((entry) => `  ${entry},`), '})'])
}

const wholeOf = ({ type, parts }: CrudModule): string => (parts.length > 0 ? `${type}Whole` : type)

const readingOf = (slice: CrudModule): string => `readAs(${wholeOf(slice)}${begins(slice) ? ', begin' : ''})`

const initialLines = (slice: CrudModule): string[] => {
  const values = initial(slice)
  const of = given(slice)
  const head = of.includes('&&') ? `(${of})` : of
  return [
    wrapLine(`      initialValues={${head} ?? ${values}}`, [
      '      initialValues={',
      `        ${head} ?? {`,
      ...values
        .slice(2, -2)
        .split(', ')
        .map((item) => `          ${item},`),
      '        }',
      '      }',
    ]),
  ]
}

const draft = ({ parts }: CrudModule, schema: string): string[] =>
  parts.length === 0
    ? [`toDraft(${schema}, values)`]
    : [
        '{',
        `      ...toDraft(${schema}, values),`,
        ...parts.map((part) => `      ${part.set}: toDrafts(${part.type}Draft, values['${part.set}']),`),
        '    }',
      ]

const saving = (slice: CrudModule): string[] => {
  const { entity, type, formType } = slice
  const same = formType === `${type}Draft`
  const of = slice.parts.length > 0 ? 'data' : entity
  const changed = slice.columns.some(({ form, inUpdate }) => form && !inUpdate) ? `${type}Change` : formType
  const done = `    notify.success(t(${entity} ? 'list.saved' : 'list.created'))`
  const [head = '', ...more] = draft(slice, `${type}Draft`)
  if (same) {
    const body = `body: { ...draft, id: ${of}.id, version: newer ?? ${of}.version }`
    const then = `await update.mutateAsync({ ${body} })`
    const own = wrapLine(`      ${then}`, ['      await update.mutateAsync({', `        ${body},`, '      })'])
    return [
      `    const draft = ${[head, ...more].join('\n')}`,
      wrapLine(`    if (${of}) ${then}`, [`    if (${of})`, own]),
      '    else await create.mutateAsync({ body: draft })',
      done,
    ]
  }
  const [first = '', ...rest] = draft(slice, changed)
  const sent = `body: { ...change, id: ${of}.id, version: newer ?? ${of}.version }`
  return [
    `    if (${of}) {`,
    `      const change = ${[first, ...rest.map((item) => `  ${item}`)].join('\n')}`,
    wrapLine(`      await update.mutateAsync({ ${sent} })`, [
      '      await update.mutateAsync({',
      `        ${sent},`,
      '      })',
    ]),
    '    } else {',
    `      const draft = ${[head, ...more.map((item) => `  ${item}`)].join('\n')}`,
    '      await create.mutateAsync({ body: draft })',
    '    }',
    done,
  ]
}

const reads = (slice: CrudModule): string[] => {
  const { entity, set, parts } = slice
  if (parts.length > 0)
    return [
      `  const { data, error, refetch } = useQuery({`,
      `    ...queryFor(${set}.get, { query: { id: ${entity}?.id ?? 0 } }),`,
      `    enabled: ${entity} !== undefined,`,
      '    gcTime: 0,',
      '  })',
      '  const waiting = error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />',
    ]
  if (!isTree(slice)) return []
  return [
    `  const { data = [] } = useQuery(queryFor(${set}.list, { query: {} }))`,
    rowNameCode(slice, 'row') === 'row.name'
      ? '  const rows = data'
      : `  const rows = data.map((row) => ({ ...row, name: ${rowNameCode(slice, 'row')} }))`,
  ]
}

const signature = (slice: CrudModule): string[] => {
  const { type, entity } = slice
  const names = [entity, ...(isTree(slice) ? ['parentId'] : []), 'onClose']
  const types = [
    `${entity}: ${type} | undefined`,
    ...(isTree(slice) ? ['parentId: number | undefined'] : []),
    'onClose: () => void',
  ]
  const head = `export const ${type}Drawer = (`
  return [
    wrapLine(`${head}{ ${names.join(', ')} }: { ${types.join('; ')} }) => {`, [
      `${head}{`,
      ...names.map((name) => `  ${name},`),
      '}: {',
      ...types.map((item) => `  ${item}`),
      '}) => {',
    ]),
  ]
}

const imports = (slice: CrudModule, body: string): (string | false)[] => {
  const { type, formType, set, module, columns, parts } = slice
  const inForm = columns.filter(({ form }) => form)
  const change = formType !== `${type}Draft` && inForm.some(({ inUpdate }) => !inUpdate)
  const schemas = [
    ...new Set([
      `${type}Draft`,
      formType,
      ...(change ? [`${type}Change`] : []),
      ...parts.map((part) => `${part.type}Draft`),
      ...(parts.length > 0 ? [wholeOf(slice)] : []),
    ]),
  ]
  const antd = [...antdImports(body, kit), ...(parts.length > 0 ? ['Skeleton'] : [])].toSorted()
  const reading = parts.length > 0 || isTree(slice)
  const words: readonly CrudColumn[] = inForm
  return [
    reading && "import { useQuery } from '@tanstack/react-query'",
    body.includes('labelIn(') && "import { labelIn } from '@tocsin/contract/field'",
    importLine(
      [parts.length > 0 ? `type ${type}` : type, ...schemas, set, ...dictLabelsUsed(body, words)],
      `@tocsin/contract/${module}`,
    ),
    antd.length > 0 && importLine(antd, 'antd'),
    "import { useTranslation } from 'react-i18next'",
    reading
      ? importLine(['queryFor', 'useApiMutation'], '#api/query.ts')
      : importLine(['useApiMutation'], '#api/query.ts'),
    importLine(['EditDrawer'], '#ui/form/EditDrawer.tsx'),
    isTree(slice) && importLine(['ParentSelect', 'TOP'], '#ui/tree/ParentSelect.tsx'),
    body.includes('labelIn(') && importLine(['useLang'], '#texts/i18n.ts'),
    parts.length > 0 && importLine(['ErrorState'], '#ui/ErrorState.tsx'),
    importLine(antdImports(body, ['HiddenValue', 'Field']), '#ui/Field.tsx'),
    importLine(['toDraft', ...(parts.length > 0 ? ['toDrafts'] : [])], '#ui/form.ts'),
    importLine(['notify'], '#ui/notify.ts'),
    importLine(['readAs'], '#ui/edit-conflict/remote-row.ts'),
    ...importsOf(body),
    ...parts.map((part) => `import { ${part.type}Fields } from './${part.type}Fields.tsx'`),
  ]
}

/** Emits the form of new and existing rows. */
export const writeDrawer = (slice: CrudModule): string => {
  const { entity, set, parts } = slice
  const body = fields(slice).join('\n')
  return sourceFile(
    ...imports(slice, body),
    '',
    begins(slice) && [begin(slice), ''].join('\n'),
    '/** Creates a row, or changes the given one with a version check. */',
    ...signature(slice),
    '  const { t } = useTranslation()',
    body.includes('labelIn(') && '  const lang = useLang()',
    ...reads(slice),
    `  const create = useApiMutation(${set}.create, { fieldsInline: true })`,
    `  const update = useApiMutation(${set}.update, { fieldsInline: true })`,
    '  const save = async (values: Record<string, unknown>, newer?: number) => {',
    ...saving(slice),
    '  }',
    '  return (',
    '    <EditDrawer',
    `      title={t(${entity} ? '${entity}.edit' : '${entity}.new')}`,
    ...initialLines(slice),
    parts.length > 0 && `      pending={${entity} && !data ? waiting : undefined}`,
    '      save={save}',
    `      reading={${readingOf(slice)}}`,
    '      onClose={onClose}',
    '    >',
    body,
    '    </EditDrawer>',
    '  )',
    '}',
  )
}
