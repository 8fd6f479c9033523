const others: Record<string, string> = { create: 'add', update: 'edit', list: 'query' }

/** Granted by either of two: `/api/v1` has it with editing a notice, here it is publishing (wire 1.7). */
const PUSH = 'system:notice:push'

/** Entities with a second name: the one that the screens of `/api/v1` ask for (wire 1.4, 1.7, 3.14). */
const alsoKnown: Readonly<Record<string, (verb: string) => string | undefined>> = {
  'system:dict': (verb) => `sys:dict-data:${others[verb] ?? verb}`,
  'system:login-log': (verb) => `infra:login-log:${verb}`,
  'system:operate-log': (verb) => `infra:operate-log:${verb}`,
  'system:notice': (verb) => (verb === 'update' || verb === 'publish' ? PUSH : undefined),
  'infra:config': (verb) => `sys:config:${verb === 'create' ? 'add' : verb}`,
}

/** Aliases of a permission (wire 11.4); none when it has only one spelling. */
const aliasesOf = (permission: string): string[] => {
  if (permission === 'system:user:update-password') return ['sys:user:password:reset']
  if (permission === PUSH) return []
  const [, area, entity, verb] = /^(system|infra):([^:]+):([^:]+)$/.exec(permission) ?? []
  if (!entity || !verb) return []
  const also = alsoKnown[`${area}:${entity}`]?.(verb)
  return [...(area === 'system' ? [`sys:${entity}:${others[verb] ?? verb}`] : []), ...(also ? [also] : [])]
}

/** Verbs of `/api/v1` and the same verbs here; other strings have only their own spelling. */
const verbsHere: Readonly<Record<string, string>> = {
  add: 'create',
  edit: 'update',
  ...Object.fromEntries(
    ['update', 'delete', 'query', 'import', 'export', 'refresh', 'publish', 'revoke'].map((v) => [v, v]),
  ),
}

/** The permissions that an alias of `/api/v1` grants (decision 024). Its query of users covers page and form. */
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
 * Permissions that these imply. Types and entries of the dictionary are two permissions there and one here, so the one
 * needs both.
 */
export const impliedPermissions = (permissions: readonly string[]): string[] => {
  const given = new Set(permissions)
  const whole = (meant: string) =>
    !meant.startsWith('system:dict:') || aliasesOf(meant).every((spelling) => given.has(spelling))
  return [...new Set(permissions.flatMap(permissionsOfAlias))].filter(whole)
}

/** Lists permissions in every spelling: checks and the hasPerm directive compare plain strings. */
export const withPermissionAliases = (permissions: readonly string[]): Set<string> =>
  new Set(
    [...permissions, ...impliedPermissions(permissions)].flatMap((permission) => [
      permission,
      ...aliasesOf(permission),
    ]),
  )
