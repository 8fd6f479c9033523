import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { ProcedureStep } from '../device/procedure/procedure.ts'
import { runStates } from '../device/procedure/procedure-machine.ts'
import { ProcedureRunStep } from '../device/procedure/run.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById } from '../page.ts'
import { LEAD_PERMISSION, type RecordState, resolveDispositions, stateMachine } from './state-machine.ts'

/** What a device can do for a step: speak its text, or sound its siren. */
export const stepSounds = ['PLAY_TTS', 'SIREN'] as const
export type StepSound = (typeof stepSounds)[number]
/** How long a step sounds the siren. */
export const STEP_SIREN_SEC = 30

/** The sound of a step; undefined for a step without one. */
export const soundOf = ({ action }: Pick<ProcedureStep, 'action'>): StepSound | undefined =>
  action === 'MESSAGE' ? 'PLAY_TTS' : action === 'SIREN' ? 'SIREN' : undefined

/** The response plan of an alarm with what was done of it. */
export const Checklist = z.strictObject({
  runId: Id,
  name: z.string(),
  nameEn: z.string(),
  versionNo: z.int(),
  state: z.enum(runStates),
  startedAt: Millis,
  steps: z.array(
    ProcedureStep.extend({
      result: ProcedureRunStep.pick({ state: true, userName: true, at: true, note: true }).nullable(),
    }),
  ),
  /** Mandatory steps that are neither done nor skipped: they block the closing. */
  missing: z.array(z.int()),
  /** What the device of the alarm can do now; nothing when it was moved since, or must stay silent. */
  sounds: z.array(z.enum(stepSounds)),
})
export type Checklist = z.output<typeof Checklist>

/** Steps can be ticked from the claim until the alarm is closed, also while it waits for review. */
export const canTick = (state: RecordState): boolean => state !== 'CLOSED'

/** Only what was real must be worked through; a false alarm or an empty place ends without it. */
export const needsChecklist = (disposition: string | null): boolean =>
  resolveDispositions.some((item) => item === disposition && item !== 'NO_PERSON_FOUND')

const id = field(Id, '编号', 'Id')
const no = field(z.int().min(1).max(30), '序号', 'No.')

export const checklists = {
  get: endpoint({
    method: 'GET',
    path: '/warn/record/checklist',
    kind: 'json',
    permission: 'warn:record:query',
    scope: 'school',
    summary: '警情的响应预案',
    summaryEn: 'The response plan of an alarm',
    query: ById,
    data: Checklist.nullable(),
  }),
  tick: endpoint({
    method: 'POST',
    path: '/warn/record/tick',
    kind: 'json',
    permission: stateMachine.note.permission,
    scope: 'school',
    summary: '勾选或取消预案步骤',
    summaryEn: 'Tick a step of the response plan, or take the tick back',
    body: z.strictObject({ id, no, done: field(z.boolean(), '完成', 'Done') }),
    data: Checklist,
  }),
  sound: endpoint({
    method: 'POST',
    path: '/warn/record/sound-step',
    kind: 'json',
    permission: stateMachine.note.permission,
    scope: 'school',
    summary: '让报警设备播报预案步骤的文字，或按步骤鸣警笛',
    summaryEn: 'Speak a step of the response plan at the device of the alarm, or sound its siren as the step says',
    body: z.strictObject({ id, no }),
    data: Id,
  }),
  skip: endpoint({
    method: 'POST',
    path: '/warn/record/skip-step',
    kind: 'json',
    permission: LEAD_PERMISSION,
    scope: 'school',
    summary: '跳过预案步骤（值班长，须说明理由）',
    summaryEn: 'Skip a step of the response plan: a shift lead, with a reason',
    body: z.strictObject({ id, no, reason: field(z.string().trim().min(1).max(200), '理由', 'Reason') }),
    data: Checklist,
  }),
}
