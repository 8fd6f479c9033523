import { describe, expect, it } from 'vitest'
import { makeStepKey } from '#api/wire/step-key.ts'
import { applySteps, parseSteps, type QueuedStep } from './step-queue.ts'

const step = (verb: QueuedStep['verb'], id = 1): QueuedStep => ({ verb, id, stepKey: makeStepKey(), doneAt: 1 })

describe('steps of a phone', () => {
  it('have keys in the format of the server', () => {
    const keys = Array.from({ length: 50 }, makeStepKey)
    expect(new Set(keys).size).toBe(50)
    for (const key of keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  it('show the task as it will be, each for its own task and only when allowed', () => {
    const task = { id: 1, state: 'ASSIGNED' as const }
    expect(applySteps(task, [step('depart'), step('arrive'), step('clear', 2)]).state).toBe('ON_SCENE')
    expect(applySteps(task, [step('clear')]).state).toBe('ASSIGNED')
    expect(applySteps(task, [step('support'), step('go')]).state).toBe('ASSIGNED')
  })

  it('are restored from the storage, and invalid entries are ignored', () => {
    const kept = [step('depart'), step('arrive')]
    expect(parseSteps(JSON.stringify(kept))).toEqual(kept)
    expect(parseSteps(JSON.stringify([...kept, { verb: 'rob', id: 1, stepKey: 'x', doneAt: 1 }, null, 3]))).toEqual(
      kept,
    )
    for (const other of [null, '', '{', '{"a":1}']) expect(parseSteps(other)).toEqual([])
  })
})
