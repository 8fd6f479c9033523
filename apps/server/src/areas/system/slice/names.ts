import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The checkout this server runs from. */
export const checkout = join(import.meta.dirname, '../../../../../..')

/** The lists of the product that a slice gets a line in. */
export const lists = {
  calls: 'packages/contract/src/all.ts',
  routes: 'apps/server/src/areas/index.ts',
  tables: 'apps/server/src/db/tables.ts',
  menus: 'apps/server/src/areas/system/seed/menus.ts',
  adminMenus: 'apps/server/src/areas/system/seed/more-menus.ts',
  screens: 'apps/web/src/screens.ts',
  zh: 'apps/web/src/texts/zh-cn.ts',
  en: 'apps/web/src/texts/en.ts',
  unlimited: 'tools/contract.test.ts',
} as const

/** A file of the checkout this server runs from, as it is now. */
export const readSource = (path: string): string => readFileSync(join(checkout, path), 'utf8')
export const hasSource = (path: string): boolean => existsSync(join(checkout, path))

const reserved = new Set(
  // Words of the language, then names that the files of a slice use already.
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if implements import in instanceof interface let new null package private protected public return static super ' +
    'switch this throw true try typeof var void while with yield async await of type any unknown never undefined ' +
    'object string number boolean symbol bigint array map set date error promise record partial omit pick eval arguments ' +
    'page list row rows query filter filters column columns field fields table tables form input select radio button ' +
    'drawer modal period words endpoint edited filled codes code id ids version done page actor refusal route routes who ' +
    'db like scoped found find given touched authored audit conflicts recorded recordable admin site draft read write ' +
    'notify confirm school schools dict menu text texts lang open item items label main shell home edit create update remove'
  ).split(' '),
)

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)
export const plural = (name: string): string => {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

/** True when no part of the product goes by this name, and code may call something so. */
export const isFree = (entity: string): boolean => {
  if (entity in {} || reserved.has(entity.toLowerCase()) || reserved.has(plural(entity).toLowerCase())) return false
  const texts = [lists.calls, lists.routes, lists.tables, lists.zh, lists.menus, lists.adminMenus]
    .map(readSource)
    .join('\n')
  const taken = [entity, plural(entity), `${entity}Routes`, `${entity}Tables`, `${entity}Menu`]
  return !taken.some((name) => new RegExp(`\\b${name}\\b`).test(texts))
}
