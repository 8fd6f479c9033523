import { modes, openStates } from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnClasses } from '@tocsin/contract/alarm/rule'
import { z } from 'zod'

/** The filter of the desk; an empty list does not restrict its criterion. */
export const Filter = z.object({
  state: z.array(z.enum(openStates)),
  level: z.array(z.enum(['1', '2', '3', '4'])),
  class: z.array(z.enum(warnClasses)),
  mode: z.array(z.enum(modes)),
  schoolId: z.array(z.int()),
})
export type Filter = z.output<typeof Filter>
export const noFilter: Filter = { state: [], level: [], class: [], mode: [], schoolId: [] }

export type Filtered = Pick<WarnRecordRow, 'state' | 'level' | 'class' | 'mode' | 'schoolId'>

const allows = <T>(chosen: readonly T[], value: unknown): boolean =>
  chosen.length === 0 || (chosen as readonly unknown[]).includes(value)

export const matchesFilter = (filter: Filter, record: Filtered): boolean =>
  allows(filter.state, record.state) &&
  allows(filter.level, String(record.level)) &&
  allows(filter.class, record.class) &&
  allows(filter.mode, record.mode) &&
  allows(filter.schoolId, record.schoolId)

/** The matching records in the given order, and the number of hidden ones, which is always shown. */
export const applyFilter = <T extends Filtered>(list: readonly T[], filter: Filter): { shown: T[]; hidden: number } => {
  const shown = list.filter((record) => matchesFilter(filter, record))
  return { shown, hidden: list.length - shown.length }
}

export const isFiltering = (filter: Filter): boolean => Object.values(filter).some((chosen) => chosen.length > 0)

/** Reads the stored filter; an incompatible one of another version counts as no filter. */
export const parseFilter = (text: string | null): Filter => {
  try {
    return Filter.safeParse(JSON.parse(text ?? 'null')).data ?? noFilter
  } catch {
    return noFilter
  }
}

type School = { value: number; label: string }

/** The schools in the queue by name, and chosen ones without open records. */
export const schoolsOf = (
  list: readonly Pick<WarnRecordRow, 'schoolId' | 'schoolName'>[],
  chosen: readonly number[],
): School[] => {
  const names = new Map<number, string>(chosen.map((id) => [id, `#${id}`]))
  for (const { schoolId, schoolName } of list) if (schoolId !== null) names.set(schoolId, schoolName ?? `#${schoolId}`)
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .sort((left, right) => left.label.localeCompare(right.label, 'zh-CN'))
}
