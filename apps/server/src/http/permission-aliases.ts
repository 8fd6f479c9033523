const others: Record<string, string> = { create: 'add', update: 'edit', list: 'query' }

/** Opened by either of two: one family has it with the change of a notice, here it is publishing (wire 1.7). */
const PUSH = 'system:notice:push'

/** Entities that have another name beside their own: what one family's screens ask for (wire 1.4, 1.7, 3.14). */
const alsoKnown: Readonly<Record<string, (verb: string) => string | undefined>> = {
  'system:dict': (verb) => `sys:dict-data:${others[verb] ?? verb}`,
  'system:login-log': (verb) => `infra:login-log:${verb}`,
  'system:operate-log': (verb) => `infra:operate-log:${verb}`,
  'system:notice': (verb) => (verb === 'update' || verb === 'publish' ? PUSH : undefined),
  'infra:config': (verb) => `sys:config:${verb === 'create' ? 'add' : verb}`,
}

/** Other spellings of a permission (wire 11.4); none when it has only one. */
const aliasesOf = (permission: string): string[] => {
  if (permission === 'system:user:update-password') return ['sys:user:password:reset']
  if (permission === PUSH) return []
  const [, area, entity, verb] = /^(system|infra):([^:]+):([^:]+)$/.exec(permission) ?? []
  if (!entity || !verb) return []
  const also = alsoKnown[`${area}:${entity}`]?.(verb)
  return [...(area === 'system' ? [`sys:${entity}:${others[verb] ?? verb}`] : []), ...(also ? [also] : [])]
}

/** The verbs of the other family's calls, and the same here; whatever else it would say has only its own spelling. */
const verbsHere: Readonly<Record<string, string>> = {
  add: 'create',
  edit: 'update',
  ...Object.fromEntries(
    ['update', 'delete', 'query', 'import', 'export', 'refresh', 'publish', 'revoke'].map((v) => [v, v]),
  ),
}

/** What a spelling of the other family gives (decision 024). Its query of users is the page and the form in one. */
const permissionsOfAlias = (spelling: string): string[] => {
  if (spelling === 'sys:user:password:reset') return ['system:user:update-password']
  if (spelling === 'sys:user:query') return ['system:user:list', 'system:user:query']
  const [, entity, verb] = /^(?:sys|infra):([^:]+):([^:]+)$/.exec(spelling) ?? []
  const here = verbsHere[verb ?? '']
  if (!entity || !here) return []
  const name = { config: 'infra:config', 'dict-data': 'system:dict' }[entity] ?? `system:${entity}`
  const permission = `${name}:${here}`
  return aliasesOf(permission).includes(spelling) ? [permission] : []
}

/**
 * What these permissions open beside what they are. Types and entries of the dictionary are two there and one here, so
 * that one comes of both only.
 */
export const impliedPermissions = (permissions: readonly string[]): string[] => {
  const given = new Set(permissions)
  const whole = (meant: string) =>
    !meant.startsWith('system:dict:') || aliasesOf(meant).every((spelling) => given.has(spelling))
  return [...new Set(permissions.flatMap(permissionsOfAlias))].filter(whole)
}

/** Permissions in every spelling: checks and the hasPerm directive compare plain strings. */
export const withPermissionAliases = (permissions: readonly string[]): Set<string> =>
  new Set(
    [...permissions, ...impliedPermissions(permissions)].flatMap((permission) => [
      permission,
      ...aliasesOf(permission),
    ]),
  )
