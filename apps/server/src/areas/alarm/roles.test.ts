import {
  LEAD_PERMISSION,
  stateMachine,
  type RecordState,
  whyNotAllowed,
  type Subject,
  type Verb,
} from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { describe, expect, it } from 'vitest'
import type { MenuSeed } from '#areas/access/seed/menu-seed'
import { menuSeeds } from '#areas/access/seed/menus'
import { type RoleCode, roleSeeds } from '#areas/access/seed/roles'

// Domain 2.8 and 2.15: the verbs of each seeded role on a record that it owns or that nobody owns.

const working = [
  'claim',
  'take',
  'release',
  'reassign',
  'verify',
  'dispatch',
  'sendMore',
  'escalate',
  'resolve',
] as const
const onSite = ['arrive', 'note'] as const
const judging = ['false', 'confirmFalse', 'refuseFalse', 'merge', 'close'] as const
const leading = ['returned', 'reject', 'reopen', 'shelve', 'unshelve'] as const

const handler = [...working, ...onSite, ...judging]
const matrix: Record<Exclude<RoleCode, 'super_admin'>, readonly Verb[]> = {
  school_admin: [...handler, ...leading],
  shift_lead: [...handler, ...leading],
  safety_officer: handler,
  command_operator: handler,
  station_desk: handler,
  guard: [...working, ...onSite],
  officer: onSite,
  edu_bureau: [],
  counsellor: [],
  security_admin: [],
  maintainer: [],
  supervisor: [],
  auditor: [],
  api_client: [],
}

const buttonsOf = (menu: MenuSeed): { permission: string; roles: readonly RoleCode[] }[] => [
  ...(menu.buttons ?? []),
  ...(menu.children ?? []).flatMap(buttonsOf),
]
const buttons = menuSeeds.flatMap(buttonsOf)
const permissionsOf = (role: RoleCode): Set<string> =>
  new Set(buttons.filter(({ roles }) => roles.includes(role)).map(({ permission }) => permission))

const [ME, OTHER] = [1, 2]
const person = (role: RoleCode) => {
  const permissions = permissionsOf(role)
  return { userId: ME, may: (permission: string) => permissions.has(permission) }
}

const subject = (state: RecordState, more: Partial<Subject> = {}): Subject => ({
  state,
  class: 'INTRUSION',
  level: 2,
  ownerId: null,
  falseBy: null,
  resolverId: OTHER,
  ...more,
})

/** Only a role that may claim can own a record. */
const variants = (verb: Verb, owners: (number | null)[]): Subject[] =>
  stateMachine[verb].from.flatMap((state) =>
    owners.flatMap((ownerId) =>
      [2, 4].flatMap((level) =>
        [null, OTHER].map((falseBy) => subject(state, { ownerId: state === 'NEW' ? null : ownerId, level, falseBy })),
      ),
    ),
  )

const verbs = (Object.keys(stateMachine) as Verb[]).filter((verb) => stateMachine[verb].who !== 'system')
const can = (role: RoleCode, verb: Verb): boolean => {
  const user = person(role)
  const owners = [null, user.may(stateMachine.claim.permission) ? ME : OTHER]
  return variants(verb, owners).some((variant) => whyNotAllowed(verb, variant, user) === undefined)
}

describe('seeded roles', () => {
  it.each(Object.entries(matrix) as [RoleCode, readonly Verb[]][])('%s may do exactly this', (role, expected) => {
    expect(verbs.filter((verb) => can(role, verb)).sort()).toEqual([...expected].sort())
  })

  it('are all in the table, except the administrator, who may do everything', () => {
    expect(Object.keys(matrix).sort()).toEqual(
      roleSeeds.flatMap(({ code }) => (code === 'super_admin' ? [] : [code])).sort(),
    )
  })

  it('have a menu button for each permission of the table', () => {
    const needed = new Set([LEAD_PERMISSION, ...verbs.map((verb) => stateMachine[verb].permission)])
    expect([...needed].filter((item) => !buttons.some(({ permission }) => permission === item))).toEqual([])
  })

  it('allow an officer neither to own nor to end a record', () => {
    for (const state of stateMachine.dispatch.from)
      expect(whyNotAllowed('dispatch', subject(state), person('officer'))).toBe(codes.forbidden)
    expect(whyNotAllowed('arrive', subject('HANDLING', { ownerId: OTHER }), person('officer'))).toBeUndefined()
  })

  it('allow only a lead who did not resolve it to close an urgent record, and any handler to close others', () => {
    const urgent = subject('RESOLVED', { level: 2 })
    expect(whyNotAllowed('close', urgent, person('command_operator'))).toBe(codes.leadReviews)
    expect(whyNotAllowed('close', urgent, person('shift_lead'))).toBeUndefined()
    expect(whyNotAllowed('close', { ...urgent, resolverId: ME }, person('shift_lead'))).toBe(codes.secondPerson)
    expect(whyNotAllowed('close', subject('RESOLVED', { level: 3 }), person('command_operator'))).toBeUndefined()
  })
})
