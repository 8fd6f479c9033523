import { codes } from '@tocsin/contract/codes'
import { BusinessError } from '#http/business-error'
import { wrapLine, arrayLiteral, literal } from './source-text.ts'
import { registryFiles, type Sources } from './names.ts'
import type { CrudModule, CrudColumn } from './crud-module.ts'

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
const addedBefore =
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

/** Allows the table of child rows to be imported again; that of an entity is, by its entry in the list of entities. */
const importable = ({ table }: Pick<CrudModule, 'table'>): Edit =>
  after(`  ${table.tableName}: true,`, 'const importable: Record<string, true> = {')

/** Lists a text without a draft in the schema test. */
const unfilled = (key: string, columns: readonly CrudColumn[]): Edit[] =>
  columns
    .filter(({ form, kind, dataType, words }) => !form && kind === 'TEXT' && dataType !== 'text' && words.length === 0)
    .map(({ columnName }) =>
      after(`    '${key}.${columnName}': 'nobody: no form has it',`, 'const filledElsewhere = {'),
    )

/** The names of an entity in the operation log; a project table has one already. */
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

/** The list of entities, on one line while it fits. */
const listed =
  (name: string): Edit =>
  (text) => {
    const [all, head = '', names = ''] = /^(export const entities: .* = )\[([^\]]*)\]/m.exec(text) ?? []
    const items = names.split(',').map((item) => item.trim())
    return all && text.replace(all, arrayLiteral('', head, [...items.filter(Boolean), name], ''))
  }

const tableEdits = (module: CrudModule, edited: ReturnType<typeof editing>): Written[] => {
  const { entity, files, children } = module
  const own = [module, ...children].filter(({ product }) => !product)
  const texts = own.flatMap(({ key, columns }) => unfilled(key, columns))
  const added = children.filter(({ product }) => !product).map(importable)
  return [
    ...(own.length > 0
      ? [
          edited(registryFiles.tables, [
            line(registryFiles.tables, `${entity}Tables`, files.row),
            addedBefore(`  ...${entity}Tables,`, '\n} satisfies'),
          ]),
        ]
      : []),
    ...(added.length > 0 ? [edited(registryFiles.importable, added)] : []),
    ...(texts.length > 0 ? [edited(registryFiles.unfilled, texts)] : []),
  ]
}

/** The registries as they are now, each with the line of this module. */
export const updateRegistries = (module: CrudModule, sources: Sources): Written[] => {
  const { entity, set, files, table } = module
  const edited = editing(sources)
  return [
    edited(registryFiles.calls, [
      line(registryFiles.calls, set, files.contract),
      addedBefore(`  ${set},`, '\n].flatMap('),
    ]),
    edited(registryFiles.entities, [
      line(registryFiles.entities, `${entity}Entity`, files.server),
      listed(`${entity}Entity`),
    ]),
    ...tableEdits(module, edited),
    edited(registryFiles.menus, [
      line(registryFiles.menus, `${entity}Menu`, files.menu),
      addedBefore(`  ${entity}Menu,`, '\n]'),
    ]),
    edited(registryFiles.words, logged(module)),
    edited(registryFiles.screens, [addedBefore(screenLine(module), '\n}')]),
    ...(table.sight === 'OPEN' ? [edited(registryFiles.unlimited, [unlimited(module)])] : []),
  ]
}
