import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { z } from 'zod'
import { getLocalItem, setLocalItem, UNSENT_PREFIX } from '#api/storage.ts'
import type { PersonVerb } from './actions/available-actions.ts'
import type { Draft, KeptDraft } from './actions/use-panel.ts'

/** Text and choices. Files and dates are entered again. */
const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
const StoredDraft = z.object({
  verb: z.string(),
  // A row of the queue has more than a record; its limit belongs to the moment.
  record: z.object(WarnRecordRow.shape),
  values: z.record(z.string(), Value),
  savedAt: z.number(),
})

/** An older draft is about an alarm that others have handled since. */
const KEPT_MS = 12 * 3600 * 1000

const keyOf = (userId: number): string => `${UNSENT_PREFIX}desk.${userId}`

const isVerb = (verb: string): verb is PersonVerb => verb in warnRecords

const toStorable = (values: Draft): Record<string, z.infer<typeof Value>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const { success, data } = Value.safeParse(value)
      return success ? [[name, data]] : []
    }),
  )

const encodeDraft = ({ of, values }: KeptDraft) => {
  const stored = { verb: of.verb, record: of.record, values: toStorable(values), savedAt: Date.now() }
  return Object.keys(stored.values).length > 0 ? [z.encode(StoredDraft, stored)] : []
}

/** Stores the input that a person has not sent. It is restored for the same person in this browser only. */
export const storeDrafts = (userId: number, drafts: Iterable<KeptDraft>): void => {
  const stored = [...drafts].flatMap(encodeDraft)
  setLocalItem(keyOf(userId), stored.length > 0 ? JSON.stringify(stored) : null)
}

/** @returns the drafts of the last twelve hours; another version of the console may have stored ones that do not fit. */
export const loadDrafts = (userId: number): KeptDraft[] => {
  const text = getLocalItem(keyOf(userId))
  if (text === null) return []
  try {
    return z
      .decode(z.array(StoredDraft), JSON.parse(text) as z.input<typeof StoredDraft>[])
      .flatMap(({ verb, record, values, savedAt }) =>
        isVerb(verb) && savedAt > Date.now() - KEPT_MS ? [{ of: { verb, record }, values }] : [],
      )
  } catch {
    return []
  }
}
