import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

type One = Pick<WarnRecordRow, 'id' | 'schoolId' | 'deptId' | 'mode' | 'open'>

/** Open records this one may be merged into: of the same school, or the same department, in the same mode. */
export const mergeTargets = <T extends One>(record: One, list: readonly T[]): T[] =>
  list.filter(
    (one) =>
      one.id !== record.id &&
      one.open &&
      one.mode === record.mode &&
      one.schoolId === record.schoolId &&
      (one.schoolId !== null || one.deptId === record.deptId),
  )
