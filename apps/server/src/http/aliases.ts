const others: Record<string, string> = { create: 'add', update: 'edit', list: 'query' }

/** Entities that have another name beside their own: what one family's screens ask for (wire 1.4, 1.7, 3.14). */
const alsoKnown: Readonly<Record<string, (verb: string) => string>> = {
  'system:dict': (verb) => `sys:dict-data:${others[verb] ?? verb}`,
  'system:login-log': (verb) => `infra:login-log:${verb}`,
  'system:operate-log': (verb) => `infra:operate-log:${verb}`,
  'infra:config': (verb) => `sys:config:${verb === 'create' ? 'add' : verb}`,
}

/** Other spellings of a permission (wire 11.4); none when it has only one. */
const aliasesOf = (permission: string): string[] => {
  if (permission === 'system:user:update-password') return ['sys:user:password:reset']
  const [, area, entity, verb] = /^(system|infra):([^:]+):([^:]+)$/.exec(permission) ?? []
  if (!entity || !verb) return []
  const also = alsoKnown[`${area}:${entity}`]?.(verb)
  return [...(area === 'system' ? [`sys:${entity}:${others[verb] ?? verb}`] : []), ...(also ? [also] : [])]
}

/** Permissions in every spelling: checks and the hasPerm directive compare plain strings. */
export const everySpelling = (permissions: readonly string[]): Set<string> =>
  new Set(permissions.flatMap((permission) => [permission, ...aliasesOf(permission)]))
