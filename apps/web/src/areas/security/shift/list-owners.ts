import type { CalendarPost } from '@tocsin/contract/security/shift'

/** A school or a department whose week is copied or published as a whole. */
export type WeekOwner = Pick<CalendarPost, 'schoolId' | 'deptId' | 'ownerName'> & { key: string }

/** The owners of the posts in the calendar, each once, in their order. */
export const listOwners = (posts: readonly CalendarPost[]): WeekOwner[] => {
  const owners = new Map<string, WeekOwner>()
  for (const { schoolId, deptId, ownerName } of posts) {
    const key = schoolId === null ? `dept ${deptId}` : `school ${schoolId}`
    if (!owners.has(key)) owners.set(key, { schoolId, deptId, ownerName, key })
  }
  return [...owners.values()]
}
