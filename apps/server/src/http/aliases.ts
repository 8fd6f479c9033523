const others: Record<string, string> = { create: 'add', update: 'edit', list: 'query' }

/** The other family's spelling of a permission (wire 11.4); undefined when it has only one. */
const aliasOf = (permission: string): string | undefined => {
  if (permission === 'system:user:update-password') return 'sys:user:password:reset'
  const [, entity, verb] = /^system:([^:]+):([^:]+)$/.exec(permission) ?? []
  return entity && verb ? `sys:${entity}:${others[verb] ?? verb}` : undefined
}

/** Permissions in every spelling: checks and the hasPerm directive compare plain strings. */
export const everySpelling = (permissions: readonly string[]): Set<string> =>
  new Set(permissions.flatMap((permission) => [permission, aliasOf(permission) ?? permission]))
