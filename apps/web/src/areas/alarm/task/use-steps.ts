import { assignments } from '@tocsin/contract/alarm/assignment'
import { call } from '#api/call.ts'
import { showError } from '#api/messages.ts'
import { invalidate } from '#api/query.ts'
import { createSendQueue } from '#api/unsent/send-queue.ts'
import { makeStepKey } from '#api/wire/step-key.ts'
import { parseSteps, type QueuedStep } from './step-queue.ts'

/** When the tap is sent so much later, its time is shown beside that of the arrival. */
const LATE_MS = 5_000
const post = ({ verb, id, stepKey, doneAt, reason, note, fileIds = [] }: QueuedStep): Promise<unknown> => {
  if (verb === 'go') return call(assignments.go, { body: { recordId: id, stepKey } })
  const isLate = Date.now() - doneAt > LATE_MS
  const body = { id, stepKey, doneAt: isLate ? new Date(doneAt) : null }
  if (verb === 'decline') return call(assignments.decline, { body: { ...body, reason: reason ?? 'UNABLE' } })
  if (verb === 'report') {
    const attachments = fileIds.map((fileId) => ({ fileId }))
    return call(assignments.report, { body: { ...body, note: note ?? '', attachments } })
  }
  if (verb === 'support') return call(assignments.support, { body: { ...body, note: note ?? null } })
  return call(assignments[verb], { body })
}

const queue = createSendQueue<QueuedStep>({
  name: 'taskSteps',
  parse: parseSteps,
  format: (steps) => JSON.stringify(steps),
  send: async (step) => {
    await post(step)
  },
  onSent: () => invalidate(assignments.mine),
  onRefused: showError,
  isOrdered: true,
})
export const { useQueue: useStepQueue, useStored: useKeptSteps } = queue

/** Stores a tap on the phone first and then sends it, so that it counts without a connection. */
export const addStep = (step: Omit<QueuedStep, 'stepKey' | 'doneAt'>): void =>
  queue.add({ ...step, stepKey: makeStepKey(), doneAt: Date.now() })
