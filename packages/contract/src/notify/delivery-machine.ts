export const deliveryStates = [
  'PLANNED',
  'QUEUED',
  'SENDING',
  'SENT',
  'DELIVERED',
  'READ',
  'REPLIED',
  'FAILED',
  'EXPIRED',
  'SUPPRESSED',
  'CANCELLED',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

type Transition = {
  from: readonly DeliveryState[]
  to: DeliveryState | 'same'
  /** `system`: the sender; `caller`: the operation that planned it; `recipient`: the addressed user. */
  who: 'system' | 'caller' | 'recipient' | 'person'
}

/** FSM H (domain 2.11) as data: the server changes states by it, screens offer by it, a test walks it. */
export const deliveryMachine = {
  queue: { from: ['PLANNED'], to: 'QUEUED', who: 'system' },
  send: { from: ['QUEUED'], to: 'SENDING', who: 'system' },
  accept: { from: ['SENDING'], to: 'SENT', who: 'system' },
  deliver: { from: ['SENT'], to: 'DELIVERED', who: 'recipient' },
  read: { from: ['SENT', 'DELIVERED'], to: 'READ', who: 'recipient' },
  reply: { from: ['SENT', 'DELIVERED', 'READ'], to: 'REPLIED', who: 'recipient' },
  fail: { from: ['SENDING', 'SENT'], to: 'FAILED', who: 'system' },
  retry: { from: ['FAILED'], to: 'QUEUED', who: 'system' },
  expire: { from: ['FAILED'], to: 'EXPIRED', who: 'system' },
  suppress: { from: ['PLANNED'], to: 'SUPPRESSED', who: 'system' },
  cancel: { from: ['PLANNED', 'QUEUED'], to: 'CANCELLED', who: 'caller' },
  // Sends a copy: the row itself keeps its final state.
  resend: { from: ['SENT', 'FAILED', 'EXPIRED', 'SUPPRESSED', 'CANCELLED'], to: 'same', who: 'person' },
} as const satisfies Record<string, Transition>
export type DeliveryVerb = keyof typeof deliveryMachine

/** States in which a verb is possible. */
export const listSourceStates = (verb: DeliveryVerb): readonly DeliveryState[] => deliveryMachine[verb].from

export const canApply = (verb: DeliveryVerb, state: DeliveryState): boolean => listSourceStates(verb).includes(state)

/** The recipient's page or answer proved that it arrived. */
export const receivedStates = ['DELIVERED', 'READ', 'REPLIED'] as const satisfies DeliveryState[]
