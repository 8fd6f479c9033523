import { canMergeInto, isOnlyExpectedPress } from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

type One = Pick<
  WarnRecordRow,
  'id' | 'schoolId' | 'deptId' | 'class' | 'mode' | 'open' | 'commissioning' | 'testPlanId' | 'validation'
>

/** Open records this one may be merged into: same school or department, same mode, and no less protected. */
export const mergeTargets = <T extends One>(record: One, list: readonly T[]): T[] =>
  list.filter(
    (item) =>
      item.id !== record.id &&
      item.open &&
      !isOnlyExpectedPress(record) &&
      !isOnlyExpectedPress(item) &&
      item.mode === record.mode &&
      canMergeInto(record.class, item.class) &&
      item.schoolId === record.schoolId &&
      (item.schoolId !== null || item.deptId === record.deptId),
  )
