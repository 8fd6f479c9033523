import { lockExpectedPresses } from '#areas/device/button-test/expected-press'
import type { UnscopedDb } from '#db/db'
import { canBeExpected } from './normalize-signal.ts'
import type { HistoryQuery } from './signal-history.ts'

type Timed = Pick<HistoryQuery, 'source' | 'signal' | 'clock' | 'beganAt'>

/** The query as the test or installation of its device expects it; undefined when nothing expects this press. */
const asExpected = (query: Timed): Timed | undefined => {
  const { source, signal, clock } = query
  const { expectedFrom, expectedCodes, testPlanId } = source
  // Without a proven time it may be older than the window.
  if (expectedFrom === null || !clock.isProven || clock.occurredAt < expectedFrom) return undefined
  if (!canBeExpected(signal, expectedCodes ?? [])) return undefined
  return { ...query, signal: { ...signal, mode: 'TEST', expectedBy: { testPlanId } } }
}

/**
 * Marks the presses that a button test or an installation expects. Only these, which are rare, are confirmed by a further
 * read; whatever is in doubt stays a LIVE alarm.
 */
export const withExpectedPresses = async (all: UnscopedDb, queries: readonly Timed[]): Promise<Timed[]> => {
  const expected = queries.map(asExpected)
  const installationIds = expected.flatMap((query) => query?.source.schoolDeviceId ?? [])
  if (installationIds.length === 0) return [...queries]
  const confirmed = await lockExpectedPresses(all, installationIds)
  return queries.map((query, i) => {
    const press = expected[i]
    // Another test may have begun between the reads; then its press is in doubt and rings.
    return press && confirmed.get(press.source.schoolDeviceId ?? 0) === press.source.testPlanId ? press : query
  })
}

const expectation = /^(?:installation|test):\d+\//

/** Whether the record was raised by an expected press, and holds no key of a LIVE alarm. */
export const isExpectationKey = (dedupKey: string): boolean => expectation.test(dedupKey)

/** The key of the LIVE alarm that the press would have raised. */
export const toLiveKey = (dedupKey: string): string => dedupKey.replace(expectation, '')

/**
 * An expected press has a record of its own, so that no other signal joins one that does not ring or that ends by itself. Its
 * key names what expected it before the key of the LIVE alarm that people may make of it.
 */
export const ofExpectation = <T extends { class: string; dedupKey: string }>(
  { source: { schoolDeviceId }, signal: { expectedBy } }: Pick<HistoryQuery, 'source' | 'signal'>,
  match: T,
): T => {
  if (!expectedBy) return match
  const { testPlanId } = expectedBy
  const by = testPlanId === null ? `installation:${schoolDeviceId}` : `test:${testPlanId}`
  return { ...match, dedupKey: `${by}/${match.dedupKey}` }
}
