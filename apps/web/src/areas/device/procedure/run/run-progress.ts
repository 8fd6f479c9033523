import type { RunDetail } from '@tocsin/contract/device/procedure/run'

type Steps = Pick<RunDetail, 'steps'>

const isDone = ({ result }: RunDetail['steps'][number]): boolean => result?.state === 'DONE'

/** Places of mandatory steps that are not done. */
export const listMissingSteps = ({ steps }: Steps): number[] =>
  steps.flatMap((step, at) => (step.mandatory && !isDone(step) ? [at] : []))

/** Where to go on: the first step without a result, else the summary. */
export const firstOpenStep = ({ steps }: Steps): number => {
  const open = steps.findIndex((step) => !isDone(step))
  return open < 0 ? steps.length : open
}
