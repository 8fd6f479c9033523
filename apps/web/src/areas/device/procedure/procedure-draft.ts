import type { ProcedureDraft, ProcedureKind, ProcedureStep } from '@tocsin/contract/device/procedure/procedure'

export const emptyStep = (kind: ProcedureKind): ProcedureStep => ({
  text: '',
  textEn: '',
  role: kind === 'WORK' ? 'MAINTAINER' : 'OPERATOR',
  targetSec: null,
  action: 'NONE',
  callee: null,
  mandatory: kind === 'WORK',
  evidence: 'NONE',
  unit: null,
  min: null,
  max: null,
})

export const emptyDraft = (kind: ProcedureKind): ProcedureDraft => ({
  kind,
  name: '',
  nameEn: '',
  class: kind === 'RESPONSE' ? 'PANIC' : null,
  levels: [],
  placeKinds: [],
  fromMin: null,
  toMin: null,
  work: kind === 'WORK' ? 'INSPECT' : null,
  steps: [emptyStep(kind)],
})

/** Moves one element; a place outside of the list changes nothing. */
export const moveStep = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const moved = list[from]
  if (moved === undefined || to < 0 || to >= list.length || from === to) return list
  const rest = list.filter((_, at) => at !== from)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}

export const hasText = ({ text, textEn }: Pick<ProcedureStep, 'text' | 'textEn'>): boolean =>
  text.trim() !== '' && textEn.trim() !== ''

/** Text in both languages, and a callee where it calls. */
export const isComplete = (step: ProcedureStep): boolean =>
  hasText(step) && (step.action === 'CALL') === (step.callee !== null)

export type StepChange = { kind: 'same' | 'added' | 'removed' | 'changed'; step: ProcedureStep; before?: ProcedureStep }

const keyOf = ({ text }: ProcedureStep) => text
const isEqual = (a: ProcedureStep, b: ProcedureStep): boolean =>
  (Object.keys(a) as (keyof ProcedureStep)[]).every((key) => a[key] === b[key])

/** The longest run of steps that both lists have in the same order, by their text. */
const commonSteps = (before: readonly ProcedureStep[], after: readonly ProcedureStep[]): string[] => {
  const table = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, (): string[] => []),
  )
  for (let i = 1; i <= before.length; i += 1)
    for (let j = 1; j <= after.length; j += 1) {
      const [a, b] = [before[i - 1], after[j - 1]]
      const up = table[i - 1]?.[j] ?? []
      const left = table[i]?.[j - 1] ?? []
      const row = table[i]
      if (!row || !a || !b) continue
      row[j] =
        keyOf(a) === keyOf(b) ? [...(table[i - 1]?.[j - 1] ?? []), keyOf(a)] : up.length >= left.length ? up : left
    }
  return table[before.length]?.[after.length] ?? []
}

/** What a reader of the last version must notice, in the order of the new one. */
export const diffSteps = (before: readonly ProcedureStep[], after: readonly ProcedureStep[]): StepChange[] => {
  const changes: StepChange[] = []
  let [i, j] = [0, 0]
  const removeUntil = (key: string | undefined) => {
    for (let old = before[i]; old && keyOf(old) !== key; old = before[(i += 1)])
      changes.push({ kind: 'removed', step: old })
  }
  const addUntil = (key: string | undefined) => {
    for (let added = after[j]; added && keyOf(added) !== key; added = after[(j += 1)])
      changes.push({ kind: 'added', step: added })
  }
  for (const key of commonSteps(before, after)) {
    removeUntil(key)
    addUntil(key)
    const [old, step] = [before[i], after[j]]
    if (old && step) changes.push(isEqual(old, step) ? { kind: 'same', step } : { kind: 'changed', step, before: old })
    i += 1
    j += 1
  }
  removeUntil(undefined)
  addUntil(undefined)
  return changes
}
