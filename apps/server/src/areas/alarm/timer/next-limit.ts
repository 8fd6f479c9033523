import { limitSteps, type LimitStep, type NextLimit } from '@tocsin/contract/alarm/record'
import { isOnlyExpectedPress, type RecordState } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { THREAT_TO_LIFE } from '#areas/alarm/verb/timers'
import { loadStepSeconds, RECORD_TIMER, type TimedRecord } from './schedule-timers.ts'

export type LimitedRecord = TimedRecord & {
  state: RecordState
  commissioning: boolean
  testPlanId: number | null
  open: boolean
  ownerId: number | null
  validation: number | null
  onSiteAt: Date | null
}

/** Whether the step still waits for a person. A limit that has passed counts until somebody has acted. */
const isWaited: Record<LimitStep, (record: LimitedRecord) => boolean> = {
  T1: ({ state, ownerId }) => state === 'NEW' || (state === 'ESCALATED' && ownerId === null),
  T2: ({ state }) => state === 'CLAIMED',
  T3: ({ state, validation }) => (state === 'CLAIMED' || state === 'HANDLING') && validation === THREAT_TO_LIFE,
  T4: ({ state, onSiteAt }) => (state === 'HANDLING' || state === 'ESCALATED') && onSiteAt === null,
  T5: ({ open }) => open,
}

/** A shelved record and an expected press are not waited for. */
const isLimited = (record: LimitedRecord): boolean =>
  (record.shelvedUntil === null || record.shelvedUntil.getTime() <= Date.now()) && !isOnlyExpectedPress(record)

const loadSteps = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('timer')
    .select(['subjectId', 'step', 'epoch', 'dueAt'])
    .where('kind', '=', RECORD_TIMER)
    .where('subjectId', '=', sql<number>`any(${[...ids]})`)
    .where('step', 'in', limitSteps)
    // A step that has fired keeps its due time: its limit is overdue since then.
    .where((eb) => eb.or([eb('doneAt', 'is', null), eb('outcome', '=', 'FIRED')]))
    .execute()

/**
 * The limit of each record that ends first, overdue ones included, read for all of them at once. Records without a
 * running limit are not in the map.
 */
export const loadNextLimits = async (db: Db, records: readonly LimitedRecord[]): Promise<Map<number, NextLimit>> => {
  const limited = new Map(records.filter(isLimited).map((record) => [record.id, record]))
  if (limited.size === 0) return new Map()
  const secondsOf = await loadStepSeconds(db, [...limited.values()])
  const next = new Map<number, NextLimit>()
  for (const { subjectId, step: name, epoch, dueAt } of await loadSteps(db, [...limited.keys()])) {
    const record = limited.get(subjectId)
    const step = limitSteps.find((known) => known === name)
    // A timer of an earlier epoch belongs to the time before the record was reopened.
    if (!record || !step || record.epoch !== epoch || !isWaited[step](record)) continue
    const seconds = secondsOf(record, step)
    const first = next.get(subjectId)
    if (seconds !== null && (!first || dueAt < first.dueAt)) next.set(subjectId, { step, dueAt, seconds })
  }
  return next
}
