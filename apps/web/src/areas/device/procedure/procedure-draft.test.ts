import { describe, expect, it } from 'vitest'
import { diffSteps, emptyStep, moveStep } from './procedure-draft.ts'

const step = (text: string, more: object = {}) => ({ ...emptyStep('WORK'), text, textEn: text, ...more })

describe('moveStep', () => {
  it('moves an element and keeps the list when the place is outside', () => {
    expect(moveStep(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moveStep(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
    expect(moveStep(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(moveStep(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
  })
})

describe('diffSteps', () => {
  const kinds = (before: string[], after: string[]) =>
    diffSteps(
      before.map((text) => step(text)),
      after.map((text) => step(text)),
    ).map((change) => `${change.kind} ${change.step.text}`)

  it('names added and removed steps in the order of the new list', () => {
    expect(kinds(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual(['same a', 'removed b', 'added x', 'same c'])
    expect(kinds([], ['a'])).toEqual(['added a'])
    expect(kinds(['a'], [])).toEqual(['removed a'])
  })

  it('shows a moved step as removed and added', () => {
    expect(kinds(['a', 'b', 'c'], ['b', 'c', 'a'])).toEqual(['removed a', 'same b', 'same c', 'added a'])
  })

  it('reports a step whose fields changed with its earlier form', () => {
    const [change] = diffSteps([step('a')], [step('a', { targetSec: 30 })])
    expect(change).toMatchObject({ kind: 'changed', step: { targetSec: 30 }, before: { targetSec: null } })
  })
})
