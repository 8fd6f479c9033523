import type { Lang } from '@tocsin/contract/field'
import type { OrderSubjectOption, OrderSubjectType } from '@tocsin/contract/supervise/order'
import { enumLabel } from '#texts/enum-labels.ts'
import { formatDateTime } from '#ui/time.ts'

/** What an order about a subject states of it: kind and name, level, school and place, time. */
export const subjectFacts = (type: OrderSubjectType, subject: OrderSubjectOption, lang: Lang): string => {
  const { label, level, schoolName, place, at } = subject
  const name = `${enumLabel('orderSubject', type, lang)}${lang === 'en' ? ': ' : '：'}${label}`
  const where = [schoolName === label ? null : schoolName, place].filter(Boolean).join(' ')
  const parts = [name, level === null ? null : enumLabel('level', level, lang), where, at && formatDateTime(at)]
  return parts.filter(Boolean).join(' · ')
}

type Filled = {
  content?: string | null | undefined
  schoolId?: number | null | undefined
  responsibleUserId?: number | null | undefined
}
type Facts = { text: string; schoolId: number | null }

/**
 * The fields that a chosen subject fills: its facts stand first, in place of those of the subject before, and what a
 * person wrote stays; its school is responsible, unless a unit was chosen. @param before the facts that stand there
 */
export const fillFacts = (
  values: Filled & { responsibleDeptId?: number | null | undefined },
  next: Facts | undefined,
  before: Facts | undefined,
): Filled => {
  const content = values.content ?? ''
  const written = before && content.startsWith(before.text) ? content.slice(before.text.length).trimStart() : content
  const schoolId = next?.schoolId ?? null
  const isFree = !values.responsibleDeptId && (!values.schoolId || values.schoolId === before?.schoolId)
  return {
    content: [next?.text, written].filter(Boolean).join('\n'),
    // The person is of the school before.
    ...(isFree && schoolId !== (values.schoolId ?? null) && { schoolId, responsibleUserId: null }),
  }
}
