import { type HomeStart, MAX_START_COUNT, type StartStep } from '@tocsin/contract/insight/home/start-steps'

/** The screen of each step in the menus. */
const screenOf: Record<StartStep, string> = {
  DISTRICT: 'system/dept/index',
  STATION: 'system/dept/index',
  SCHOOL: 'school/index',
  PLACES: 'school/index',
  MODEL: 'device/model/index',
  DEVICES: 'device/index',
  INSTALLATION: 'schoolDevice/index',
  TEST: 'schoolDevice/index',
}

export type StepProgress = {
  step: StartStep
  isDone: boolean
  /** What there is, as text; empty for none. */
  count: string
  /** Where it is done; undefined for users without that screen. */
  to: string | undefined
}

/** The steps in order, each with the address where it is done: while there is nothing, of the form. */
export const toProgress = (
  { steps, schoolId }: HomeStart,
  pathOf: (screen: string) => string | undefined,
): StepProgress[] =>
  steps.map(({ step, count }) => {
    const list = pathOf(screenOf[step])
    const isDone = count > 0
    const first: Partial<Record<StartStep, string>> = {
      SCHOOL: '/school/form',
      ...(schoolId !== null && { PLACES: `/school/detail/${schoolId}?tab=places` }),
      INSTALLATION: '/m/install',
    }
    return {
      step,
      isDone,
      count: count === 0 ? '' : count < MAX_START_COUNT ? `${count}` : `${MAX_START_COUNT}+`,
      to: list !== undefined && !isDone ? (first[step] ?? list) : list,
    }
  })

export const isComplete = ({ steps }: HomeStart): boolean => steps.every(({ count }) => count > 0)
