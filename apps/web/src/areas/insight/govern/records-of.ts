import { usePathOf } from '#shell/path-of.ts'

type Period = { from: Date; to?: Date | undefined; deptId?: number | undefined }

/** The address of the records that the figures of a period count. */
export const recordsLink = (list: string, { from, to, deptId }: Period): string => {
  const until = to ? `&to=${to.getTime()}` : ''
  const dept = deptId === undefined ? '' : `&deptId=${deptId}`
  return `${list}?mode=LIVE&continued=false&from=${from.getTime()}${until}${dept}`
}

/** The list of the counted records of a school in a period; undefined for users who may not open it. */
export const useRecordsOf = (from: Date, to?: Date) => {
  const records = usePathOf()('warn/record/index')
  return (schoolId: number) => records && `${recordsLink(records, { from, to })}&schoolId=${schoolId}`
}
