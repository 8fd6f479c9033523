import { type Code, codes } from '../codes.ts'

export const orderStates = [
  'DRAFT',
  'ISSUED',
  'SIGNED',
  'IN_PROGRESS',
  'SUBMITTED',
  'RETURNED',
  'CONCLUDED',
  'EVALUATED',
  'TRANSFERRED',
  'REVOKED',
] as const
export type OrderState = (typeof orderStates)[number]

/** States in which somebody must still act; the light counts in these states. */
export const openOrderStates = [
  'ISSUED',
  'SIGNED',
  'IN_PROGRESS',
  'SUBMITTED',
  'RETURNED',
] as const satisfies OrderState[]

/** The deciding side: the issuer, the assignee, or another person of the issuing side. */
type Side = 'issuer' | 'responsible' | 'concluder'
/** Required input of a verb. */
type Asked = 'text' | 'reason' | 'score' | 'responsible' | 'dueAt' | 'newDueAt'

type Transition = {
  from: readonly OrderState[]
  /** `same`: the verb changes no state. */
  to: OrderState | 'same'
  permission: string
  by: Side
  asks: readonly Asked[]
  /** Sub-machine of the extension: its condition. */
  extension?: 'none' | 'requested'
}

/** FSM G (domain 2.10) as data: the server rejects by it, screens show buttons by it, tests walk it. */
export const orderMachine = {
  issue: { from: ['DRAFT'], to: 'ISSUED', permission: 'supervise:order:issue', by: 'issuer', asks: [] },
  sign: { from: ['ISSUED'], to: 'SIGNED', permission: 'supervise:order:sign', by: 'responsible', asks: [] },
  progress: {
    from: ['SIGNED', 'IN_PROGRESS', 'RETURNED'],
    to: 'IN_PROGRESS',
    permission: 'supervise:order:submit',
    by: 'responsible',
    asks: ['text'],
  },
  submit: {
    from: ['IN_PROGRESS'],
    to: 'SUBMITTED',
    permission: 'supervise:order:submit',
    by: 'responsible',
    asks: ['text'],
  },
  conclude: {
    from: ['SUBMITTED'],
    to: 'CONCLUDED',
    permission: 'supervise:order:conclude',
    by: 'concluder',
    asks: [],
  },
  return: {
    from: ['SUBMITTED'],
    to: 'RETURNED',
    permission: 'supervise:order:return',
    by: 'issuer',
    asks: ['reason'],
  },
  evaluate: {
    from: ['CONCLUDED'],
    to: 'EVALUATED',
    permission: 'supervise:order:evaluate',
    by: 'issuer',
    asks: ['score'],
  },
  requestExtension: {
    from: ['SIGNED', 'IN_PROGRESS', 'RETURNED'],
    to: 'same',
    permission: 'supervise:order:extend',
    by: 'responsible',
    asks: ['reason', 'newDueAt', 'text'],
    extension: 'none',
  },
  approveExtension: {
    from: ['SIGNED', 'IN_PROGRESS', 'RETURNED'],
    to: 'same',
    permission: 'supervise:order:issue',
    by: 'issuer',
    asks: [],
    extension: 'requested',
  },
  refuseExtension: {
    from: ['SIGNED', 'IN_PROGRESS', 'RETURNED'],
    to: 'same',
    permission: 'supervise:order:issue',
    by: 'issuer',
    asks: ['reason'],
    extension: 'requested',
  },
  transfer: {
    from: ['ISSUED', 'SIGNED', 'IN_PROGRESS'],
    to: 'TRANSFERRED',
    permission: 'supervise:order:issue',
    by: 'issuer',
    asks: ['responsible', 'dueAt', 'reason'],
  },
  revoke: {
    from: openOrderStates,
    to: 'REVOKED',
    permission: 'supervise:order:revoke',
    by: 'issuer',
    asks: ['reason'],
  },
} as const satisfies Record<string, Transition>

export type OrderVerb = keyof typeof orderMachine
export const orderVerbs = Object.keys(orderMachine) as OrderVerb[]
export const orderRule = (verb: OrderVerb): Transition => orderMachine[verb]

export const MAX_EXTENSIONS = 2

export type OrderSubject = {
  state: OrderState
  issuerId: number | null
  responsibleUserId: number | null
  signedBy: number | null
  submittedBy: number | null
  /** Everybody who received it, reported progress, submitted it or asked for an extension. */
  workerIds: readonly number[]
  extensionState: 'REQUESTED' | 'APPROVED' | 'REFUSED' | null
  extensionCount: number
  isPastDue: boolean
  /** The date that an extension asks for has passed. */
  isExtensionPast: boolean
}

/** The relation of the calling user to the order. */
export type OrderPerson = { userId: number; isIssuer: boolean; isResponsible: boolean }

const whyNotExtension = (rule: Transition, verb: OrderVerb, order: OrderSubject): Code | undefined => {
  const isRequested = order.extensionState === 'REQUESTED'
  if (rule.extension === 'requested' && !isRequested) return codes.orderNoExtension
  if (verb === 'approveExtension' && order.isExtensionPast) return codes.orderExtensionPast
  if (verb !== 'requestExtension') return undefined
  if (isRequested) return codes.orderExtensionPending
  if (order.extensionCount >= MAX_EXTENSIONS) return codes.orderExtensionTwice
  return order.isPastDue ? codes.orderPastDue : undefined
}

const whyNotPerson = (by: Side, order: OrderSubject, person: OrderPerson): Code | undefined => {
  const { userId, isIssuer, isResponsible } = person
  if (by === 'responsible') {
    if (order.issuerId === userId) return codes.orderIssuerResponsible
    return isResponsible ? undefined : codes.orderNotResponsible
  }
  const acted = [order.responsibleUserId, order.signedBy, order.submittedBy, ...order.workerIds].includes(userId)
  if (by === 'concluder' && (acted || order.issuerId === userId)) return codes.orderConcluder
  if (acted) return codes.orderIssuerResponsible
  return isIssuer ? undefined : codes.orderNotIssuer
}

/** Why this user cannot apply the verb now, permissions aside; undefined when allowed. */
export const whyNotOrder = (verb: OrderVerb, order: OrderSubject, person: OrderPerson): Code | undefined => {
  const rule = orderRule(verb)
  if (!rule.from.includes(order.state)) return codes.orderState
  return whyNotPerson(rule.by, order, person) ?? whyNotExtension(rule, verb, order)
}
