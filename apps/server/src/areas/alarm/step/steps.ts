import type { Verb } from '@tocsin/contract/alarm/machine'
import { machine, needsSecondPerson } from '@tocsin/contract/alarm/machine'
import { sql } from 'kysely'
import { alarmFacts } from '#areas/alarm/facts'
import { appendLog } from '#areas/alarm/log'
import { type Scene, systemScene } from '#areas/alarm/verb/scene'
import { carryOut, type Outcome } from '#areas/alarm/verb/verb'
import { announce } from '#db/event'
import { happened } from '#db/fact'
import { replan, type TimerKey } from '#timer/timer'
import type { StepFn } from '#timer/wheel'
import { keyOf, planRing, RECORD, RING_LOOPS, ringStep, ringSteps, secondsOf } from './timing.ts'

/** The system may do it now; the table decides for a timer as it does for a person. */
const can = ({ record }: Scene, verb: Verb): boolean => (machine[verb].from as readonly string[]).includes(record.state)

const go = async (scene: Scene, verb: Verb, outcome: Outcome): Promise<void> => {
  if (can(scene, verb)) await carryOut(scene, verb, outcome)
}

/** A step that changes nothing about the case: it is written down and heard. */
const remind = async (
  { all, trx, record }: Scene,
  step: string,
  { ring, payload = {} }: { ring: boolean; payload?: Record<string, unknown> },
) => {
  await appendLog(all, record.id, {
    kind: 'DELIVERY',
    verb: step,
    actor: 'system',
    from: record.state,
    to: record.state,
    payload,
  })
  const { id: ref, schoolId, deptId } = record
  await announce(trx, { type: ring ? 'alarm.again' : 'alarm.changed', ref, schoolId, deptId })
}

const mostUrgent = ({ record }: Scene): boolean => record.class === 'PANIC' && record.level === 1

const escalate = (scene: Scene, step: string) =>
  go(scene, 'escalateBySystem', { payload: { reason: step }, ring: true })

/** T1: nobody claimed. The most urgent goes to the police; others ring again, each time after twice the wait. */
const unclaimed =
  (loop: number) =>
  async (scene: Scene): Promise<void> => {
    const { trx, record } = scene
    if (record.state !== 'NEW' || record.shelvedUntil !== null) return
    if (mostUrgent(scene)) return escalate(scene, 'T1')
    await remind(scene, 'T1', { ring: true, payload: { loop } })
    const seconds = await secondsOf(trx, record, 'T1')
    if (loop < RING_LOOPS && seconds !== null) await replan(trx, keyOf(record, ringStep(loop + 1)), seconds * 2 ** loop)
  }

/** T2: claimed, but nothing was done about it. It is free again, and the shift lead reads why. */
const untouched = async (scene: Scene): Promise<void> => {
  if (!can(scene, 'loseLease')) return
  await remind(scene, 'T2', { ring: false, payload: { ownerId: scene.record.ownerId } })
  await go(scene, 'loseLease', { payload: { reason: 'T2' }, ring: true })
}

/** T3: a threat to life was confirmed and nobody called the police. */
const notEscalated = async (scene: Scene): Promise<void> => {
  if (!can(scene, 'escalateBySystem') || scene.record.validation !== 4) return
  await remind(scene, 'T3', { ring: true })
  if (mostUrgent(scene)) await escalate(scene, 'T3')
}

/** T4: the guard was sent and is not on site. */
const notOnSite = async (scene: Scene): Promise<void> => {
  if (can(scene, 'arrive')) await remind(scene, 'T4', { ring: false })
}

/** T5: open for too long. */
const overdue = async (scene: Scene): Promise<void> => {
  if (!scene.record.open) return
  await remind(scene, 'overdue', { ring: false })
  await happened(scene.trx, alarmFacts.overdue, { recordId: scene.record.id })
}

/** The desk may have renewed in the meantime: the row knows, the timer only asks. */
const leaseEnded = async (scene: Scene): Promise<void> => {
  const { trx, record } = scene
  if (!can(scene, 'loseLease')) return
  const { rows } = await sql<{
    left: number
  }>`select extract(epoch from ${record.leaseUntil}::timestamptz - now())::float8
    as left`.execute(trx)
  const left = rows[0]?.left ?? 0
  if (left > 0) await replan(trx, keyOf(record, 'LEASE'), left)
  else await go(scene, 'loseLease', { payload: { reason: 'LEASE' }, ring: true })
}

const closeUnreviewed = async (scene: Scene): Promise<void> => {
  if (!needsSecondPerson(scene.record)) await go(scene, 'closeBySystem', {})
}

const shelfEnded = async (scene: Scene): Promise<void> => {
  const { trx, record } = scene
  if (record.shelvedUntil === null) return
  await carryOut(scene, 'unshelve', { set: { shelvedUntil: null }, ring: true })
  if (record.state === 'NEW') await planRing(trx, { ...record, shelvedUntil: null })
}

const steps: Record<string, (scene: Scene) => Promise<void>> = {
  ...Object.fromEntries(ringSteps.map((step, i) => [step, unclaimed(i + 1)])),
  T2: untouched,
  T3: notEscalated,
  T4: notOnSite,
  T5: overdue,
  LEASE: leaseEnded,
  AUTOCLOSE: closeUnreviewed,
  UNSHELVE: shelfEnded,
}

const run = async (trx: Parameters<StepFn>[0], key: TimerKey): Promise<void> => {
  const step = steps[key.step]
  if (!step) throw new Error(`no such step of a record: ${key.step}`)
  const scene = await systemScene(trx, key.subjectId)
  // Whatever belongs to an earlier run of a reopened case has no say in this one (invariant 9).
  if (scene && scene.record.epoch === key.epoch) await step(scene)
}

/** Verbs lock the record first and its timers after; a step that did it the other way round would block with them. */
const lock: StepFn['lock'] = async (trx, key) => {
  await systemScene(trx, key.subjectId)
}

export const recordSteps: Record<typeof RECORD, StepFn> = { [RECORD]: Object.assign(run, { lock }) }
