import { usePathOf } from '#shell/path-of.ts'

/** The list of the live records of a school in a period; undefined for users who may not open it. */
export const useRecordsOf = (from: Date, to?: Date) => {
  const records = usePathOf()('warn/record/index')
  const until = to ? `&to=${to.getTime()}` : ''
  return (schoolId: number) => records && `${records}?mode=LIVE&from=${from.getTime()}${until}&schoolId=${schoolId}`
}
