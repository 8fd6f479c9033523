import { codes } from '@tocsin/contract/codes'
import { BusinessError } from '#http/business-error'
import { wrapLine, arrayLiteral, literal } from './source-text.ts'
import { registryFiles, type Sources } from './names.ts'
import type { CrudModule, CrudColumn } from './crud-module.ts'
import { hasRows } from './write-sql.ts'

type Written = { filePath: string; code: string; list: true }
type Edit = (text: string) => string | undefined

/** Inserts after the last import. */
const imported =
  (line: string): Edit =>
  (text) => {
    const last = [...text.matchAll(/^(?:import [^\n]*|\}) from '[^'\n]+'$/gm)].at(-1)
    if (!last) return undefined
    const end = last.index + last[0].length
    return `${text.slice(0, end)}\n${line}${text.slice(end)}`
  }

/** Inserts before the last end of a list. */
const added =
  (line: string, end: string): Edit =>
  (text) => {
    const at = text.lastIndexOf(end)
    return at < 0 ? undefined : `${text.slice(0, at)}\n${line}${text.slice(at)}`
  }

/** Inserts right after the start of a list. */
const after =
  (line: string, start: string): Edit =>
  (text) => {
    const at = text.indexOf(start)
    const end = at + start.length
    return at < 0 ? undefined : `${text.slice(0, end)}\n${line}${text.slice(end)}`
  }

/** Inserts as the last entry of the object with this start; an existing entry of the name stays. */
const entry =
  (line: string, start: string): Edit =>
  (text) => {
    const from = text.indexOf(start)
    const end = text.indexOf('\n}', from)
    if (from < 0 || end < 0) return undefined
    const known = text.slice(from, end).includes(`\n${line.slice(0, line.indexOf(': '))}: `)
    return known ? text : `${text.slice(0, end)}\n${line}${text.slice(end)}`
  }

const editing =
  (sources: Sources) =>
  (filePath: string, edits: readonly Edit[]): Written => {
    const code = edits.reduce<string | undefined>((text, edit) => text && edit(text), sources.read(filePath))
    if (!code) throw new BusinessError(codes.codegenPlace, { file: filePath })
    return { filePath, code, list: true }
  }

/** The import path from one file of the checkout to another. */
const from = (file: string, target: string): string => {
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  return `./${target.slice(folder.length)}`
}

const line = (file: string, name: string, target: string): Edit =>
  imported(`import { ${name} } from '${from(file, target)}'`)

/** Lists a table without visibility in the contract test. */
const unlimited = ({ path }: CrudModule): Edit => {
  const escaped = path.slice(1).replaceAll('/', '\\/')
  return (text) => {
    const end = ')/.test(\n            path,'
    const at = text.indexOf(end)
    return at < 0 ? undefined : `${text.slice(0, at)}|${escaped}${text.slice(at)}`
  }
}

/** Allows the table to be imported again. */
const importable = ({ table }: Pick<CrudModule, 'table'>): Edit =>
  after(`  ${table.tableName}: true,`, 'const importable: Record<string, true> = {')

/** Lists a text without a draft in the schema test. */
const unfilled = (key: string, without: readonly CrudColumn[]): Edit[] =>
  without
    .filter(({ kind, dataType, words }) => kind === 'TEXT' && dataType !== 'text' && words.length === 0)
    .map(({ columnName }) =>
      after(`    '${key}.${columnName}': 'nobody: no new row brings it',`, 'const filledElsewhere = {'),
    )

const unfilledIn = ({ product, key, columns, parts }: CrudModule): Edit[] => [
  ...(product
    ? []
    : unfilled(
        key,
        columns.filter(({ inCreate }) => !inCreate),
      )),
  // A child row is created and changed with the same fields.
  ...parts
    .filter((part) => !part.product)
    .flatMap((part) =>
      unfilled(
        part.key,
        part.columns.filter(({ form }) => !form),
      ),
    ),
]

/** The label of the entity in the operation log; a project table has one already. */
const logged = ({ permission, table }: CrudModule): Edit[] => {
  const named = [literal(table.title), literal(table.titleEn)]
  return [
    entry(arrayLiteral('  ', `'${permission}': `, named, ','), 'const auditModule: EnumLabels<string> = {'),
    entry(arrayLiteral('  ', `${table.tableName}: `, named, ','), 'const auditSubject: EnumLabels<string> = {'),
  ]
}

const screenLine = ({ screen, type, files }: CrudModule): string => {
  const loading = `(await import('./${files.page.slice('apps/web/src/'.length)}'))`
  const head = `  '${screen}': async () =>`
  return wrapLine(`${head} ${loading}.${type}Page,`, [
    head,
    wrapLine(`    ${loading}.${type}Page,`, [`    ${loading}`, `      .${type}Page,`]),
  ])
}

/** The registries as they are now, each with the line of this module. */
export const updateRegistries = (slice: CrudModule, sources: Sources): Written[] => {
  const { entity, set, files, table } = slice
  const texts = unfilledIn(slice)
  const edited = editing(sources)
  const text = (file: string, target: string) =>
    edited(file, [line(file, entity, target), added(`  ${entity},`, '\n}')])
  return [
    edited(registryFiles.calls, [line(registryFiles.calls, set, files.contract), added(`  ${set},`, '\n].flatMap(')]),
    edited(registryFiles.routes, [
      line(registryFiles.routes, `${entity}Routes`, files.routes),
      added(`  ${entity}Routes,`, '\n]\n'),
    ]),
    edited(registryFiles.jobs, [
      line(registryFiles.jobs, `${entity}Jobs`, files.routes),
      after(`  ...${entity}Jobs,`, '}: Known = {}): Record<string, JobHandler> => ({'),
    ]),
    ...(hasRows(slice)
      ? [
          edited(registryFiles.tables, [
            line(registryFiles.tables, `${entity}Tables`, files.row),
            added(`  ...${entity}Tables,`, '\n} satisfies'),
          ]),
          edited(registryFiles.importable, [slice, ...slice.parts].filter(({ product }) => !product).map(importable)),
        ]
      : []),
    ...(texts.length > 0 ? [edited(registryFiles.unfilled, texts)] : []),
    edited(registryFiles.menus, [
      line(registryFiles.menus, `${entity}Menu`, files.menu),
      added(`  ${entity}Menu,`, '\n]'),
    ]),
    edited(registryFiles.words, logged(slice)),
    edited(registryFiles.screens, [added(screenLine(slice), '\n}')]),
    text(registryFiles.texts, files.texts),
    ...(table.sight === 'OPEN' ? [edited(registryFiles.unlimited, [unlimited(slice)])] : []),
  ]
}
