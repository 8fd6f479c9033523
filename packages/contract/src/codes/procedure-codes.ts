import { type Code, code } from './code.ts'

/** The status of a procedure; here because error messages name them too. */
export const procedureStatusLabels = {
  DRAFT: ['草稿', 'Draft'],
  PUBLISHED: ['已发布', 'Published'],
  RETIRED: ['已停用', 'Retired'],
} as const

export const runStateLabels = {
  RUNNING: ['进行中', 'Running'],
  DONE: ['已完成', 'Done'],
  FAILED: ['未通过', 'Failed'],
  ABORTED: ['已中止', 'Aborted'],
} as const

/** Of procedures and their runs, part of `codes`. */
export const procedureCodes = {
  procedureState: {
    ...code(1_004_008_000, '规程处于「{state}」，不能执行该操作', 'Not possible while the procedure is “{state}”'),
    words: { state: procedureStatusLabels },
  },
  procedureUnchanged: code(
    1_004_008_001,
    '草稿与已发布的版本相同，没有可发布的修改',
    'The draft equals the version in force: there is nothing to publish',
  ),
  procedurePublisher: code(
    1_004_008_002,
    '草稿由您起草，须由另一人发布',
    'You edited this draft last: another person must publish it',
  ),
  runState: {
    ...code(1_004_008_003, '作业处于「{state}」，不能执行该操作', 'Not possible while the run is “{state}”'),
    words: { state: runStateLabels },
  },
  runStepsOpen: code(1_004_008_004, '还差 {count} 步：{steps}', 'Mandatory steps are still open ({count}): {stepsEn}'),
  runOrder: code(1_004_008_005, '请先完成第 {no} 步', 'Complete step {no} first'),
  runRetired: code(1_004_008_006, '该规程未发布或已停用，不能执行', 'The procedure is not in force and cannot be run'),
  runOpen: code(
    1_004_008_007,
    '该设备正在执行同一规程，请继续那一次',
    'This procedure is already running at the device: continue that run',
  ),
  checklistMissing: code(1_004_008_008, '该警情没有执行中的预案', 'No response plan runs for this alarm'),
  stepSound: code(
    1_004_008_009,
    '报警设备不能执行此步骤：已移位，或不支持该声音',
    'The device of the alarm cannot do this step: it was moved, or does not support the sound',
  ),
  stepSilent: code(
    1_004_008_010,
    '静默或胁迫警情中设备不得发声',
    'In a silent alarm, or one under duress, the device must make no sound',
  ),
} satisfies Record<string, Code>
