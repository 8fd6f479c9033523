import { type Checklist, needsChecklist } from '@tocsin/contract/alarm/checklist'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { codes } from '@tocsin/contract/codes'
import { errorMessage } from '@tocsin/contract/codes/code'
import type { Lang } from '@tocsin/contract/field'
import type { PersonVerb } from '../desk/actions/available-actions.ts'

type Plan = Pick<Checklist, 'steps' | 'missing'>

/** Whether the plan holds this end of an alarm. A false alarm or one of an empty place is closed without it. */
const isHeld = (verb: PersonVerb, { disposition }: Pick<WarnRecordRow, 'disposition'>): boolean =>
  verb === 'resolve' || (verb === 'close' && needsChecklist(disposition))

/** Why the plan holds a verb: the open mandatory steps by number and text; undefined where it does not. */
export const openStepsText = (
  verb: PersonVerb,
  record: Pick<WarnRecordRow, 'disposition'>,
  plan: Plan | null | undefined,
  lang: Lang,
): string | undefined => {
  const missing = plan?.missing ?? []
  if (!plan || missing.length === 0 || !isHeld(verb, record)) return undefined
  const named = (key: 'text' | 'textEn') => missing.map((no) => `${no} ${plan.steps[no - 1]?.[key] ?? ''}`)
  const params = {
    count: missing.length,
    steps: named('text').join('；'),
    stepsEn: named('textEn').join('; '),
  }
  return errorMessage(codes.runStepsOpen, params, lang)
}
