import { canMergeInto } from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

type One = Pick<WarnRecordRow, 'id' | 'schoolId' | 'deptId' | 'class' | 'mode' | 'open'>

/** Open records this one may be merged into: of the same school, or the same department, in the same mode, as safe. */
export const mergeTargets = <T extends One>(record: One, list: readonly T[]): T[] =>
  list.filter(
    (one) =>
      one.id !== record.id &&
      one.open &&
      one.mode === record.mode &&
      canMergeInto(record.class, one.class) &&
      one.schoolId === record.schoolId &&
      (one.schoolId !== null || one.deptId === record.deptId),
  )
