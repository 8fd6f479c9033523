import { ScanDraft } from '@tocsin/contract/security/patrol'
import { z } from 'zod'
import { create } from 'zustand'
import { getLocalItem, setLocalItem, UNSENT_PREFIX } from '#api/storage.ts'

/** Answers that the person must read: refused scans with the reason, and points that have left the patrol. */
const Outcome = z.strictObject({
  refused: z.array(
    z.strictObject({ scan: ScanDraft, reason: z.strictObject({ 'zh-cn': z.string(), en: z.string() }) }),
  ),
  removed: z.array(z.string()),
})
type Outcome = z.output<typeof Outcome>

const noOutcome: Outcome = { refused: [], removed: [] }
export const useScanOutcome = create<Outcome>()(() => noOutcome)

let owner = 0
const keyOf = (userId: number) => `${UNSENT_PREFIX}patrolOutcome.${userId}`

/** What an earlier page left; anything else that is stored there is ignored. */
const loadOutcome = (userId: number): Outcome => {
  try {
    return z.safeDecode(Outcome, JSON.parse(getLocalItem(keyOf(userId)) ?? '{}')).data ?? noOutcome
  } catch {
    return noOutcome
  }
}

/** Shows what a person has not read yet on this phone. */
export const openOutcome = (userId: number): void => {
  owner = userId
  useScanOutcome.setState(loadOutcome(userId))
}

export const getOutcomeOwner = (): number => owner

/** Stores an answer to a scan on the phone until its person has read it: the scan itself has left the queue. */
export const addOutcome = (userId: number, more: Partial<Outcome>): void => {
  const before = userId === owner ? useScanOutcome.getState() : loadOutcome(userId)
  const after = {
    refused: [...before.refused, ...(more.refused ?? [])],
    removed: [...before.removed, ...(more.removed ?? [])],
  }
  setLocalItem(keyOf(userId), JSON.stringify(z.encode(Outcome, after)))
  if (userId === owner) useScanOutcome.setState(after)
}

export const dismissOutcome = (): void => {
  setLocalItem(keyOf(owner), null)
  useScanOutcome.setState(noOutcome)
}
