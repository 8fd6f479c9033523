import type { Task } from '@tocsin/contract/alarm/assignment'
import { assignmentMachine, type DeclineReason, type ResponderVerb } from '@tocsin/contract/alarm/assignment-machine'

/** A tap that may not have reached the server yet. `go`: of an unowned alarm, whose id `id` is then. */
export type QueuedStep = {
  verb: ResponderVerb | 'go'
  id: number
  stepKey: string
  doneAt: number
  reason?: DeclineReason
  note?: string | null
  fileIds?: readonly number[]
}

const isStep = (given: unknown): given is QueuedStep => {
  const { verb, id, stepKey, doneAt } = (given ?? {}) as Partial<QueuedStep>
  const isKnown = verb === 'go' || (typeof verb === 'string' && verb in assignmentMachine)
  return isKnown && typeof id === 'number' && typeof stepKey === 'string' && typeof doneAt === 'number'
}

/** Steps stored by an earlier page; other content is ignored. */
export const parseSteps = (stored: string | null): QueuedStep[] => {
  try {
    const found: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(found) ? found.filter(isStep) : []
  } catch {
    return []
  }
}

/** The task with the pending taps of this phone applied. */
export const applySteps = <T extends Pick<Task, 'id' | 'state'>>(task: T, steps: readonly QueuedStep[]): T =>
  steps.reduce((at, { verb, id }) => {
    if (verb === 'go' || id !== at.id) return at
    const { from, to } = assignmentMachine[verb]
    const isPossible = from.some((state) => state === at.state)
    return isPossible && to !== 'same' ? { ...at, state: to } : at
  }, task)
