import {
  announcementRule,
  type AnnouncementState,
  type AnnouncementVerb,
  announcementVerbs,
  type RevisionState,
  whyNotAnnouncement,
} from '@tocsin/contract/announcement/announcement-machine'
import { codes } from '@tocsin/contract/codes'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AnnouncementServer, inHours, startAnnouncementServer } from '../../../test/announcement-server.ts'
import { sampleSize } from '../../../test/sample-size.ts'

// No sequence of verbs, by authors and publishers of one department, leaves the table of the contract, and nobody
// reviews their own text.

let site: AnnouncementServer
beforeAll(async () => {
  site = await startAnnouncementServer()
})
afterAll(() => site.end())

const people = ['author', 'publisher', 'colleague', 'supervisor', 'guard'] as const
type Name = (typeof people)[number]

/** Of the seeded roles; a guard neither writes nor reviews. */
const isPermitted = (name: Name, verb: AnnouncementVerb): boolean =>
  name !== 'guard' && (name !== 'supervisor' || announcementRule(verb).permission.endsWith(':update'))

const bodies: Partial<Record<AnnouncementVerb, () => object>> = {
  return: () => ({ reason: '修改' }),
  schedule: () => ({ publishAt: inHours(2) }),
  revise: () => ({ title: '修订', content: `<p>${Math.random()}</p>`, pinned: false, validUntil: null }),
  returnRevision: () => ({ reason: '修改' }),
  withdraw: () => ({ reason: '误发' }),
}

const act = (id: number, verb: AnnouncementVerb, name: Name) =>
  site.act(verb, id, site.who[name].token, bodies[verb]?.())

const stateAfter = (verb: AnnouncementVerb, before: { state: AnnouncementState; publishAt: Date | null }) => {
  const { to, later } = announcementRule(verb)
  if (to === 'same') return before.state
  return later && before.publishAt && before.publishAt.getTime() > Date.now() ? later : to
}

const step = async (id: number, verb: AnnouncementVerb, name: Name): Promise<void> => {
  const before = await site.rowOf(id)
  const why = isPermitted(name, verb) ? whyNotAnnouncement(verb, before, site.who[name].id) : codes.forbidden
  const answer = await act(id, verb, name)
  const after = await site.rowOf(id)
  expect(answer.code, `${name} ${verb} in ${before.state}: ${answer.msg}`).toBe(why?.code ?? 200)
  const { revision } = announcementRule(verb)
  const revisionState: RevisionState | null = why || !revision ? before.revisionState : revision.to
  expect({ state: after.state, revisionState: after.revisionState }, `${name} ${verb}`).toEqual({
    state: why ? before.state : stateAfter(verb, before),
    revisionState,
  })
}

/** Every edition was reviewed by another person, and editions are counted without a gap. */
const checkEditions = async (id: number): Promise<void> => {
  const editions = await site.all
    .selectFrom('announcementEdition')
    .selectAll()
    .where('announcementId', '=', id)
    .orderBy('edition')
    .execute()
  const { edition } = await site.rowOf(id)
  expect(editions.map((edition) => edition.edition)).toEqual(Array.from({ length: edition }, (_, n) => n + 1))
  for (const { textBy, reviewedBy } of editions) expect(reviewedBy).not.toBe(textBy)
}

const likely: readonly AnnouncementVerb[] = ['submit', 'approve', 'revise', 'submitRevision', 'approveRevision']
const anyVerb = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...likely) },
  { weight: 2, arbitrary: fc.constantFrom(...announcementVerbs) },
)
const anyStep = fc.tuple(anyVerb, fc.constantFrom(...people))

it('stays within its table for any sequence of verbs by any user', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(anyStep, { minLength: 5, maxLength: 20 }), async (isLater, steps) => {
      const id = await site.create(isLater ? { publishAt: inHours(1) } : {})
      await step(id, 'submit', 'author')
      for (const [verb, name] of steps) await step(id, verb, name)
      await checkEditions(id)
    }),
    { numRuns: sampleSize(15) },
  )
})

const SIGN = '/announcement/mine/sign'
const readers = ['head', 'guard'] as const
/** Readers confirm the edition that they see; a later one, or none, may be there by then. */
const confirm = async (id: number, edition: number): Promise<number[]> => {
  const answers = await Promise.all(
    [...readers, ...readers].map((name) => site.call('POST', SIGN, { id, edition }, site.who[name].token)),
  )
  return answers.map(({ code }) => Number(code))
}
const checkReceipts = async (id: number): Promise<void> => {
  const { edition } = await site.rowOf(id)
  const receipts = await site.all
    .selectFrom('announcementReceipt')
    .selectAll()
    .where('announcementId', '=', id)
    .execute()
  expect(receipts.every((receipt) => receipt.edition <= edition && receipt.signedAt !== null)).toBe(true)
}

it('stays within its table when two people act and readers confirm at once', { timeout: 240_000 }, async () => {
  const pair = fc.tuple(anyStep, anyStep)
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: 3, maxLength: 6 }), async (pairs) => {
      const id = await site.create({ needsSign: true })
      await step(id, 'submit', 'author')
      for (const both of pairs) {
        const before = await site.rowOf(id)
        const [answers, confirmed] = await Promise.all([
          Promise.all(both.map(([verb, name]) => act(id, verb, name))),
          confirm(id, Math.max(before.edition, 1)),
        ])
        // Both send the version that they saw: at most one of them changes it.
        expect(answers.filter(({ code }) => code === 200).length).toBeLessThanOrEqual(
          (await site.rowOf(id)).version - before.version,
        )
        for (const { code } of answers) expect([500, 503]).not.toContain(code)
        for (const code of confirmed) expect([200, codes.notFound.code, codes.announcementChanged.code]).toContain(code)
        await checkReceipts(id)
      }
      await checkEditions(id)
    }),
    { numRuns: sampleSize(8) },
  )
})
