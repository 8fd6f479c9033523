import { patrols, ScanDraft } from '@tocsin/contract/security/patrol'
import { z } from 'zod'
import { create } from 'zustand'
import { call } from '#api/call.ts'
import type { ApiError } from '#api/error.ts'
import { invalidate } from '#api/query.ts'
import { createSendQueue } from '#api/unsent/send-queue.ts'
import { makeStepKey } from '#api/wire/step-key.ts'

const Stored = z.array(ScanDraft)

/** What an earlier page left; anything else that is stored there is ignored. */
const parseScans = (stored: string | null): readonly ScanDraft[] => {
  try {
    return z.safeDecode(Stored, JSON.parse(stored ?? '[]')).data ?? []
  } catch {
    return []
  }
}

/** Answers that the person must read: refused scans, and points that have left the patrol. */
type Outcome = { refused: readonly { scan: ScanDraft; error: ApiError }[]; removed: readonly string[] }
const noOutcome: Outcome = { refused: [], removed: [] }
export const useScanOutcome = create<Outcome>()(() => noOutcome)
export const dismissOutcome = (): void => useScanOutcome.setState(noOutcome)

const queue = createSendQueue<ScanDraft>({
  name: 'patrolScans',
  parse: parseScans,
  format: (scans) => JSON.stringify(z.encode(Stored, [...scans])),
  send: async (scan) => {
    const { isRemoved, pointName } = await call(patrols.scan, { body: scan })
    if (isRemoved) useScanOutcome.setState(({ removed }) => ({ removed: [...removed, pointName] }))
  },
  onSent: () => invalidate(patrols.mine),
  onRefused: (error, scan) => {
    useScanOutcome.setState(({ refused }) => ({ refused: [...refused, { scan, error }] }))
    void invalidate(patrols.mine)
  },
  isOrdered: false,
})
export const { useQueue: useScanQueue, useStored: useStoredScans } = queue

/** Stores a scan on the phone and then sends it, so that it counts without a connection. */
export const addScan = (scan: Omit<ScanDraft, 'stepKey' | 'scannedAt'>): void =>
  queue.add({ ...scan, stepKey: makeStepKey(), scannedAt: new Date() })
