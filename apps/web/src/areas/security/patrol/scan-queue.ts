import { patrols, ScanDraft } from '@tocsin/contract/security/patrol'
import { z } from 'zod'
import { useEffect } from 'react'
import { call } from '#api/call.ts'
import { errorText } from '#api/error-display.ts'
import { invalidate } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { isRefused } from '#api/unsent/retry.ts'
import { createSendQueue } from '#api/unsent/send-queue.ts'
import { makeStepKey } from '#api/wire/step-key.ts'
import { addOutcome, getOutcomeOwner, openOutcome } from './scan-outcome.ts'

const Stored = z.array(ScanDraft)

/** What an earlier page left; anything else that is stored there is ignored. */
const parseScans = (stored: string | null): readonly ScanDraft[] => {
  try {
    return z.safeDecode(Stored, JSON.parse(stored ?? '[]')).data ?? []
  } catch {
    return []
  }
}

/** Sends a scan; what its person must read is stored before the scan leaves the queue. */
const sendScan = async (scan: ScanDraft): Promise<void> => {
  // Another person may have signed in on this phone when the answer comes.
  const userId = getOutcomeOwner()
  try {
    const { isRemoved, pointName } = await call(patrols.scan, { body: scan })
    if (isRemoved) addOutcome(userId, { removed: [pointName] })
  } catch (error) {
    const reason = { 'zh-cn': errorText(error, 'zh-cn'), en: errorText(error, 'en') }
    if (isRefused(error)) addOutcome(userId, { refused: [{ scan, reason }] })
    throw error
  }
}

const queue = createSendQueue<ScanDraft>({
  name: 'patrolScans',
  parse: parseScans,
  format: (scans) => JSON.stringify(z.encode(Stored, [...scans])),
  send: sendScan,
  onSent: () => invalidate(patrols.mine),
  onRefused: () => void invalidate(patrols.mine),
  isOrdered: false,
})
export const { useQueue: useScanQueue } = queue

/** Opens what the signed-in person has not sent and not read yet while the page is shown. */
export const useStoredScans = (): void => {
  const userId = useSession(({ user }) => user?.id)
  // Before the queue, which may be answered at once.
  useEffect(() => {
    if (userId !== undefined) openOutcome(userId)
  }, [userId])
  queue.useStored()
}

/** Stores a scan on the phone and then sends it, so that it counts without a connection. */
export const addScan = (scan: Omit<ScanDraft, 'stepKey' | 'scannedAt'>): void =>
  queue.add({ ...scan, stepKey: makeStepKey(), scannedAt: new Date() })
