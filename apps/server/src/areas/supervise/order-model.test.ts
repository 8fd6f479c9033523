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
import { sampleSize } from '../../../test/sample-size.ts'

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
  return { ...row, workerIds, isPastDue: row.dueAt.getTime() < Date.now(), isExtensionPast: false }
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
    { numRuns: sampleSize(15) },
  )
})

const isVerb = (verb: string): verb is OrderVerb => orderVerbs.some((known) => known === verb)

/** The timeline is a walk through the table; a reminder changes no state, and reminds nobody who has nothing to do. */
const checkTimeline = async (id: number): Promise<void> => {
  const log = await site.all
    .selectFrom('superviseOrderLog')
    .select(['verb', 'toState'])
    .where('orderId', '=', id)
    .orderBy('id')
    .execute()
  const rounds = 1 + log.filter(({ verb }) => verb === 'return' || verb === 'approveExtension').length
  let state: OrderState = 'DRAFT'
  for (const { verb, toState } of log) {
    if (isVerb(verb)) {
      const { from, to } = orderRule(verb)
      expect(from, verb).toContain(state)
      if (to !== 'same') state = to
    } else {
      expect(verb === 'remindSign' ? ['ISSUED'] : ['ISSUED', 'SIGNED', 'IN_PROGRESS', 'RETURNED'], verb).toContain(
        state,
      )
      expect(log.filter((entry) => entry.verb === verb).length, verb).toBeLessThanOrEqual(rounds)
    }
    expect(toState, verb).toBe(state)
  }
  expect((await site.rowOf(id)).state).toBe(state)
}

const together = fc.tuple(anyStep, anyStep, fc.constantFrom('SIGN', 'YELLOW', 'DUE', 'D1', 'D3'))

it('stays within its table when two people act while a reminder is due on two nodes', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 4, maxLength: 10 }), async (rounds) => {
      const id = await site.create()
      await step(id, 'issue', 'issuer')
      for (const [first, second, due] of rounds) {
        const { version } = await site.rowOf(id)
        const [answers] = await Promise.all([
          // Both send the version that they saw: at most one of them changes it.
          Promise.all(
            [first, second].map(([verb, name]) =>
              site.act(verb, id, site.who[name].token, { ...bodies[verb]?.(), version }),
            ),
          ),
          site.elapse(id, due),
          site.elapse(id, due),
        ])
        for (const { code } of answers) expect([500, 503]).not.toContain(code)
        const changes = answers.filter(({ code }) => code === 200).length
        expect(changes).toBeLessThanOrEqual(1)
        expect((await site.rowOf(id)).version).toBe(version + changes)
        await checkTimeline(id)
      }
    }),
    { numRuns: sampleSize(8) },
  )
})
