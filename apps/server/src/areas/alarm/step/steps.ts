import type { Verb } from '@tocsin/contract/alarm/machine'
import { closesUnreviewed, machine } from '@tocsin/contract/alarm/machine'
import { sql } from 'kysely'
import { alarmFacts } from '#areas/alarm/facts'
import { lockRecords, type Scene, systemScenes } from '#areas/alarm/verb/scene'
import { carryOut, type Outcome } from '#areas/alarm/verb/verb'
import type { Db } from '#db/db'
import { happened } from '#db/fact'
import { replan, type TimerKey } from '#timer/timer'
import type { StepKind } from '#timer/wheel'
import { openPage, type Page } from './page.ts'
import { callSteps, keyOf, LOOPS, loopStep, planRing, RECORD, ringSteps } from './timing.ts'
import { noteUnseen } from './unseen.ts'

type Step = (scene: Scene, page: Page) => Promise<void>

/** The system may do it now; the table decides for a timer as it does for a person. */
const can = ({ record }: Scene, verb: Verb): boolean => (machine[verb].from as readonly string[]).includes(record.state)

const go = async (scene: Scene, verb: Verb, outcome: Outcome): Promise<void> => {
  if (can(scene, verb)) await carryOut(scene, verb, outcome)
}

/** What is shelved rings at the end of that. */
const isAudible = ({ record }: Scene): boolean => record.shelvedUntil === null

const mostUrgent = ({ record }: Scene): boolean => record.class === 'PANIC' && record.level === 1

const escalate = async (scene: Scene, step: string) =>
  go(scene, 'escalateBySystem', { payload: { reason: step, ...(await noteUnseen(scene)) }, ring: true })

const planNext = ({ record }: Scene, page: Page, { step, loop }: { step: 'T1' | 'T3'; loop: number }): void => {
  const seconds = page.seconds(record, step)
  if (loop < LOOPS && seconds !== null) page.plan(keyOf(record, loopStep(step, loop + 1)), seconds * 2 ** loop)
}

/** T1: nobody claimed. The most urgent goes to the police; others ring again, each time after twice the wait. */
const unclaimed =
  (loop: number): Step =>
  async (scene, page) => {
    const { record } = scene
    if (record.state !== 'NEW' || record.shelvedUntil !== null) return
    if (mostUrgent(scene)) return escalate(scene, 'T1')
    page.remind(scene, 'T1', { ring: true, payload: { loop, ...(await noteUnseen(scene)) } })
    planNext(scene, page, { step: 'T1', loop })
  }

/** T2: claimed, but nothing was done about it. It is free again, and the shift lead reads why. */
const untouched: Step = async (scene, page) => {
  if (!can(scene, 'loseLease')) return
  const told = page.remind(scene, 'T2', { ring: false, payload: { ownerId: scene.record.ownerId } })
  await page.write()
  await go(told, 'loseLease', { payload: { reason: 'T2' }, ring: true })
}

/** T3: a threat to life was confirmed and nobody called the police. The most urgent goes there by itself. */
const notEscalated =
  (loop: number): Step =>
  async (scene, page) => {
    if (!can(scene, 'escalateBySystem') || scene.record.validation !== 4) return
    const told = page.remind(scene, 'T3', { ring: true, payload: { loop } })
    if (!mostUrgent(scene)) return planNext(scene, page, { step: 'T3', loop })
    await page.write()
    await escalate(told, 'T3')
  }

/** T4: the guard was sent and is not on site. */
const notOnSite: Step = async (scene, page) => {
  if (can(scene, 'arrive')) page.remind(scene, 'T4', { ring: isAudible(scene) })
}

/** T5: open for too long. */
const overdue: Step = async (scene, page) => {
  if (!scene.record.open) return
  page.remind(scene, 'overdue', { ring: isAudible(scene) })
  await page.write()
  await happened(scene.trx, alarmFacts.overdue, { recordId: scene.record.id })
}

/** The desk may have renewed in the meantime: the row knows, the timer only asks. */
const leaseEnded: Step = async (scene) => {
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

const closeUnreviewed: Step = async (scene) => {
  if (closesUnreviewed(scene.record)) await go(scene, 'closeBySystem', {})
}

const shelfEnded: Step = async (scene) => {
  const { trx, record } = scene
  if (record.shelvedUntil === null) return
  await carryOut(scene, 'unshelve', { set: { shelvedUntil: null }, ring: true })
  if (record.state === 'NEW') await planRing(trx, { ...record, shelvedUntil: null })
}

const steps: Record<string, Step> = {
  ...Object.fromEntries(ringSteps.map((step, i) => [step, unclaimed(i + 1)])),
  T2: untouched,
  ...Object.fromEntries(callSteps.map((step, i) => [step, notEscalated(i + 1)])),
  T4: notOnSite,
  T5: overdue,
  LEASE: leaseEnded,
  AUTOCLOSE: closeUnreviewed,
  UNSHELVE: shelfEnded,
}

const stepOf = ({ step }: TimerKey): Step => {
  const found = steps[step]
  if (!found) throw new Error(`no such step of a record: ${step}`)
  return found
}

const carryOutAll = async (trx: Db, keys: readonly TimerKey[]): Promise<void> => {
  const scenes = await systemScenes(
    trx,
    keys.map(({ subjectId }) => subjectId),
  )
  const page = await openPage(trx, scenes)
  const byRecord = new Map(scenes.map((scene) => [scene.record.id, scene]))
  for (const key of keys) {
    const scene = byRecord.get(key.subjectId)
    // Whatever belongs to an earlier run of a reopened case has no say in this one (invariant 9).
    if (scene && scene.record.epoch === key.epoch) await stepOf(key)(scene, page)
  }
  await page.write()
}

/** Records that wait for a common commit keep verbs about them waiting; more at once saves little. */
const MOST = 32

/** Verbs lock the record first and its timers after; a step that did it the other way round would block with them. */
export const recordSteps: Record<typeof RECORD, StepKind> = {
  [RECORD]: { most: MOST, lock: lockRecords, carryOut: carryOutAll },
}
