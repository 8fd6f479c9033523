import type { NotifyPolicyDraft, PolicyFallback } from '@tocsin/contract/notify/policy'

type PolicySteps = Pick<NotifyPolicyDraft, 'steps' | 'loops' | 'fallback'>

/** After the last loop the fallback is notified, this long after the last step. */
export const FALLBACK_AFTER_SEC = 30
/** A further loop begins this long after the last step of the one before. */
export const LOOP_PAUSE_SEC = 60

const FALLBACK = 'F'

/** `1.2` is the third step of the second loop; `F` is the fallback. */
export const parseStep = (step: string): { loop: number; index: number } => {
  if (step === FALLBACK) return { loop: 0, index: 99 }
  const [loop = 0, index = 0] = step.split('.').map(Number)
  return { loop, index }
}

/** Whether a step is repeated, or is the fallback: nobody acted so far. */
export const isRepetition = (step: string): boolean => step === FALLBACK || parseStep(step).loop > 0

const ordered = ({ steps }: PolicySteps) => steps.toSorted((a, b) => a.afterSec - b.afterSec)

/** The targets of a step; a step that an edit removed meanwhile uses the fallback. */
export const stepAt = (policy: PolicySteps, step: string): PolicyFallback =>
  step === FALLBACK ? policy.fallback : (ordered(policy)[parseStep(step).index] ?? policy.fallback)

/** The step after this one and the seconds until then; undefined after the fallback. */
export const nextStep = (policy: PolicySteps, step: string): { step: string; seconds: number } | undefined => {
  if (step === FALLBACK) return undefined
  const { loop, index } = parseStep(step)
  const steps = ordered(policy)
  const next = steps[index + 1]
  if (next) return { step: `${loop}.${index + 1}`, seconds: next.afterSec - (steps[index]?.afterSec ?? 0) }
  if (loop < policy.loops) return { step: `${loop + 1}.0`, seconds: LOOP_PAUSE_SEC }
  return { step: FALLBACK, seconds: FALLBACK_AFTER_SEC }
}
