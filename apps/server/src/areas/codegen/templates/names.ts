import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The checkout of this server. */
const checkout = join(import.meta.dirname, '../../../../../..')

/** The files of the checkout overlaid with everything generated so far. */
export type Sources = {
  read: (path: string) => string
  has: (path: string) => boolean
  /** The names in a folder; empty without the folder. */
  names: (folder: string) => string[]
  write: (path: string, code: string) => void
}

export const openSources = (): Sources => {
  const written = new Map<string, string>()
  const named = (folder: string) => {
    const under = `${folder}/`
    return [...written.keys()].flatMap((path) => (path.startsWith(under) ? [path.slice(under.length)] : []))
  }
  return {
    read: (path) => written.get(path) ?? readFileSync(join(checkout, path), 'utf8'),
    has: (path) => written.has(path) || existsSync(join(checkout, path)),
    names: (folder) => {
      const known = existsSync(join(checkout, folder)) ? readdirSync(join(checkout, folder)) : []
      return [...new Set([...known, ...named(folder).filter((name) => !name.includes('/'))])]
    },
    write: (path, code) => void written.set(path, code),
  }
}

/** The registries that get a line of a module. */
export const registryFiles = {
  calls: 'packages/contract/src/all.ts',
  entities: 'apps/server/src/areas/entities.ts',
  routes: 'apps/server/src/areas/index.ts',
  tables: 'apps/server/src/db/tables.ts',
  menus: 'apps/server/src/areas/access/seed/menus.ts',
  adminMenus: 'apps/server/src/areas/access/seed/admin-records-menus.ts',
  words: 'packages/contract/src/audit/audit-labels.ts',
  screens: 'apps/web/src/screens.ts',
  texts: 'apps/web/src/texts/texts.ts',
  unlimited: 'tools/contract.test.ts',
  unfilled: 'tools/schema.test.ts',
  importable: 'apps/server/src/areas/codegen/allow.test.ts',
} as const

const reserved = new Set(
  // Keywords, then names that the files of a module use.
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if implements import in instanceof interface let new null package private protected public return static super ' +
    'switch this throw true try typeof var void while with yield async await of type any unknown never undefined ' +
    'object string number boolean symbol bigint array map set date error promise record partial omit pick eval arguments ' +
    'page list row rows query filter filters column columns field fields table tables form input select radio button ' +
    'drawer modal period words endpoint edited filled codes code id ids version done page actor refusal route routes who ' +
    'db scoped found find given recorded audit admin site draft read write caller likepattern changedcolumns updatestamp ' +
    'createstamp writeaudit toauditstate registerconstrainterrors auditfields generatedcolumns exportendpoints queryfor ' +
    'notify confirm school schools dict menu text texts lang open item items label main shell home edit create update remove'
  ).split(' '),
)

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)
export const plural = (name: string): string => {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

/** True when no part of the project uses this name, so that code may use it. */
export const isFree = (entity: string, sources: Sources): boolean => {
  if (entity in {} || reserved.has(entity.toLowerCase()) || reserved.has(plural(entity).toLowerCase())) return false
  const texts = [
    registryFiles.calls,
    registryFiles.entities,
    registryFiles.routes,
    registryFiles.tables,
    registryFiles.texts,
    registryFiles.menus,
    registryFiles.adminMenus,
  ]
    .map(sources.read)
    .join('\n')
  const taken = [entity, plural(entity), `${entity}Entity`, `${entity}Routes`, `${entity}Tables`, `${entity}Menu`]
  return !taken.some((name) => new RegExp(`\\b${name}\\b`).test(texts))
}
