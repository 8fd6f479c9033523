/** Permissions of demo screens that have no call of their own. */
export const demoPermissions = [
  'demo:dict:query',
  'demo:icon-selector:query',
  'demo:icons:query',
  'demo:level-one:query',
  'demo:level-two:query',
  'demo:level-three:query',
  'demo:table-select:query',
  'demo:upload:query',
  'demo:route-param:query',
  'demo:map:query',
  'demo:document:query',
] as const
export type DemoPermission = (typeof demoPermissions)[number]
