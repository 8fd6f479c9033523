/** The cards of Home. `permission`: who has it; without one everybody does. */
const cardPermissions = {
  alarms: 'warn:record:query',
  today: 'warn:record:query',
  response: 'warn:record:query',
  readiness: 'insight:readiness:query',
  devices: ['device:device:query', 'device:school-device:query'],
  duty: 'security:shift:query',
  silence: 'notify:silence:query',
  dispatch: 'police:situation:query',
  units: 'police:unit:query',
  gapCard: 'security:shift:gap',
  bullying: 'warn:record:query',
  tasks: 'warn:task:query',
  maintenance: 'device:maintenance:query',
  batteries: 'device:device:query',
  rollouts: 'device:rollout:query',
  orders: 'supervise:order:query',
  falseRate: 'report:govern:query',
  receipts: 'announcement:announcement:query',
  announcements: undefined,
  notices: undefined,
  exports: 'system:operate-log:query',
  personalReads: 'system:operate-log:query',
  seals: 'system:operate-log:query',
  system: 'system:user:security',
  // Decision 044.
  visits: 'system:login-log:query',
} as const satisfies Record<string, string | readonly string[] | undefined>

export type CardId = keyof typeof cardPermissions
export const cardIds = Object.keys(cardPermissions) as CardId[]
const isCard = (name: string): name is CardId => Object.hasOwn(cardPermissions, name)

/** Cards of each role, in order. Of several roles the first in this list counts. */
const roleCards: readonly (readonly [role: string, cards: readonly CardId[]])[] = [
  ['super_admin', ['system', 'alarms', 'today', 'devices', 'visits']],
  ['security_admin', ['system', 'visits']],
  ['shift_lead', ['alarms', 'duty', 'response', 'silence', 'orders']],
  ['command_operator', ['alarms', 'duty', 'response']],
  ['station_desk', ['dispatch', 'units', 'response', 'orders', 'alarms']],
  ['school_admin', ['alarms', 'readiness', 'devices', 'today', 'duty', 'orders']],
  ['safety_officer', ['alarms', 'readiness', 'devices', 'today', 'duty', 'orders']],
  ['edu_bureau', ['readiness', 'orders', 'duty', 'falseRate', 'receipts', 'alarms']],
  ['officer', ['tasks']],
  ['guard', ['tasks', 'alarms']],
  ['maintainer', ['maintenance', 'devices', 'batteries', 'rollouts']],
  ['counsellor', ['bullying']],
  ['supervisor', ['orders', 'readiness', 'gapCard']],
  ['auditor', ['exports', 'personalReads', 'seals']],
]
/** Shown to everybody, after the cards of the role. */
const common: readonly CardId[] = ['announcements', 'notices']

export type Arrangement = { shown: readonly CardId[]; hidden: readonly CardId[] }
type Viewer = { roles: readonly string[]; can: (permission: string | readonly string[]) => boolean }

/**
 * @param stored what the user arranged: names in order, hidden ones with `-`; empty: by role. Cards that came later
 * than the arrangement follow at the end, shown where the role has them.
 */
export const arrangeCards = (stored: string, { roles, can }: Viewer): Arrangement => {
  const mine = roleCards.find(([role]) => roles.includes(role))?.[1] ?? cardIds
  const byRole = [...new Set([...mine, ...common])]
  const given = stored.split(',').filter(Boolean)
  const named = given.map((name) => name.replace('-', '')).filter(isCard)
  const order = [...new Set([...named, ...byRole, ...cardIds])].filter((id) => {
    const permission = cardPermissions[id]
    return permission === undefined || can(permission)
  })
  const isShown = (id: CardId) => (named.includes(id) ? !given.includes(`-${id}`) : byRole.includes(id))
  return { shown: order.filter(isShown), hidden: order.filter((id) => !isShown(id)) }
}

export const formatArrangement = ({ shown, hidden }: Arrangement): string =>
  [...shown, ...hidden.map((id) => `-${id}`)].join()

/** Moves a card to a place among the shown ones. */
export const placeCard = ({ shown, hidden }: Arrangement, id: CardId, to: number): Arrangement => {
  const others = shown.filter((item) => item !== id)
  return {
    shown: others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, id),
    hidden: hidden.filter((item) => item !== id),
  }
}

export const hideCard = ({ shown, hidden }: Arrangement, id: CardId): Arrangement => ({
  shown: shown.filter((item) => item !== id),
  hidden: [...hidden, id],
})
