import {
  type OrderPerson,
  type OrderState,
  type OrderSubject,
  type OrderVerb,
  orderRule,
  orderVerbs,
  whyNotOrder,
} from '@tocsin/contract/supervise/order-machine'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inDays, type SuperviseServer, startSuperviseServer } from '../../../test/supervise-server.ts'

// No sequence of verbs, by people of either side, leaves the table of the contract, and no person acts on both sides.

let site: SuperviseServer
beforeAll(async () => {
  site = await startSuperviseServer()
})
afterAll(() => site.end())

const people = ['issuer', 'reviewer', 'head', 'safety'] as const
type Name = (typeof people)[number]

let moved = 5
const bodies: Partial<Record<OrderVerb, () => object>> = {
  progress: () => ({ text: '办理' }),
  submit: () => ({ text: '办完' }),
  return: () => ({ reason: '不足' }),
  evaluate: () => ({ score: 3 }),
  requestExtension: () => {
    moved += 1
    return { reason: '缺料', text: '过半', newDueAt: inDays(moved) }
  },
  refuseExtension: () => ({ reason: '不必' }),
  transfer: () => ({ schoolId: site.second.id, reason: '属地' }),
  revoke: () => ({ reason: '误发' }),
}

/** Permissions of the seeded roles: whoever lacks one is forbidden before the machine is asked. */
const isPermitted = (name: Name, verb: OrderVerb): boolean => {
  const isSchool = name === 'head' || name === 'safety'
  const responsible = ['sign', 'submit', 'extend'].some((word) => orderRule(verb).permission.endsWith(`:${word}`))
  return isSchool ? responsible : true
}

const subjectOf = async (id: number): Promise<OrderSubject> => {
  const row = await site.rowOf(id)
  const log = await site.all
    .selectFrom('superviseOrderLog')
    .select('userId')
    .where('orderId', '=', id)
    .where('verb', 'in', ['sign', 'progress', 'submit', 'requestExtension'])
    .execute()
  const workerIds = log.flatMap(({ userId }) => userId ?? [])
  return { ...row, workerIds, isPastDue: row.dueAt.getTime() < Date.now() }
}

const personOf = (name: Name): OrderPerson => {
  const isSchool = name === 'head' || name === 'safety'
  return { userId: site.who[name].id, isIssuer: !isSchool, isResponsible: isSchool }
}

const step = async (id: number, verb: OrderVerb, name: Name): Promise<void> => {
  const before = await subjectOf(id)
  const why = whyNotOrder(verb, before, personOf(name))
  const answer = await site.act(verb, id, site.who[name].token, bodies[verb]?.())
  const { state } = await site.rowOf(id)
  // A draft does not exist for the responsible side.
  const isHidden = before.state === 'DRAFT' && personOf(name).isResponsible
  const expected = !isPermitted(name, verb) || isHidden ? undefined : (why?.code ?? 200)
  if (expected === undefined) expect(answer.code, `${name} ${verb}`).not.toBe(200)
  else expect(answer.code, `${name} ${verb} in ${before.state}: ${answer.msg}`).toBe(expected)
  const { to } = orderRule(verb)
  const after: OrderState = answer.code === 200 && to !== 'same' ? to : before.state
  expect(state, `${name} ${verb}`).toBe(after)
}

const likely: readonly OrderVerb[] = ['issue', 'sign', 'progress', 'submit', 'conclude', 'evaluate']
const anyStep = fc.tuple(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...likely) },
    { weight: 2, arbitrary: fc.constantFrom(...orderVerbs) },
  ),
  fc.constantFrom(...people),
)

it('stays within its table whatever verbs come from whichever side', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      const id = await site.create()
      await step(id, 'issue', 'issuer')
      for (const [verb, name] of steps) await step(id, verb, name)
      const row = await site.rowOf(id)
      const acted = [row.issuerId, row.signedBy, row.concludedBy].filter((item) => item !== null)
      expect(new Set(acted).size).toBe(acted.length)
    }),
    { numRuns: 15 },
  )
})
