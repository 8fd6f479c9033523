import { lockExpectedPresses } from '#areas/device/button-test/expected-press'
import type { UnscopedDb } from '#db/db'
import { asTestPress } from './normalize-signal.ts'
import type { HistoryQuery } from './signal-history.ts'

type Timed = Pick<HistoryQuery, 'source' | 'signal' | 'clock' | 'beganAt'>

/** The query as the test or installation of its device expects it; undefined when nothing expects this press. */
const asExpected = (query: Timed): Timed | undefined => {
  const { source, signal, clock } = query
  const { expectedFrom, expectedCodes, testPlanId } = source
  // Without a proven time it may be older than the window.
  if (expectedFrom === null || !clock.isProven || clock.occurredAt < expectedFrom) return undefined
  const press = asTestPress(signal, expectedCodes ?? [])
  return press === signal ? undefined : { ...query, signal: { ...press, expectedBy: { testPlanId } } }
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

/**
 * An expected press has a record of its own, so that no other signal joins one that does not ring or that ends by itself.
 */
export const ofExpectation = <T extends { class: string; dedupKey: string }>(
  { source: { schoolDeviceId }, signal: { expectedBy } }: Pick<HistoryQuery, 'source' | 'signal'>,
  match: T,
): T => {
  if (!expectedBy) return match
  const test = expectedBy.testPlanId === null ? '' : `test:${expectedBy.testPlanId}/`
  return { ...match, dedupKey: `${test}installation:${schoolDeviceId}|${match.class}` }
}
