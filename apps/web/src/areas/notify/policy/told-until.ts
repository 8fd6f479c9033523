import type { NotifyPolicyDraft, PolicyStep } from '@tocsin/contract/notify/policy'

/** Pause before a further loop and before the fallback, as the server schedules them. */
const LOOP_PAUSE_SEC = 60
const FALLBACK_AFTER_SEC = 30

type PolicySteps = Pick<NotifyPolicyDraft, 'steps' | 'loops' | 'fallback'>
export type ToldAt = Pick<PolicyStep, 'targets' | 'channels'> & { sec: number; isFallback: boolean }

/** Every moment of a notification while nobody claims, loops and fallback included. */
export const listMoments = ({ steps, loops, fallback }: PolicySteps): ToldAt[] => {
  const sorted = steps.toSorted((a, b) => a.afterSec - b.afterSec)
  const first = sorted[0]?.afterSec ?? 0
  const last = sorted.at(-1)?.afterSec ?? 0
  const loopSec = last - first + LOOP_PAUSE_SEC
  const result = Array.from({ length: loops + 1 }, (_, loop) =>
    sorted.map(({ afterSec, targets, channels }) => ({
      sec: afterSec - first + loop * loopSec,
      targets,
      channels,
      isFallback: false,
    })),
  ).flat()
  const end = (result.at(-1)?.sec ?? 0) + FALLBACK_AFTER_SEC
  return [...result, { ...fallback, sec: end, isFallback: true }]
}
