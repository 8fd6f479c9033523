import { CATEGORY_DICT, SituationDraft } from '@tocsin/contract/police/situation'
import { type Insertable, sql } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { writeAudit } from '#areas/audit/audit'
import { fieldError, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { checkDictValues } from '#areas/audit/entity/dict-values'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { addHook } from '#db/transaction-hook'
import { zone } from '@tocsin/contract/time-zone'
import type { Actor, Caller } from '#http/route'
import { applySituation, isOpenSituation, lockSituations } from './execute-verb.ts'
import { planLimit } from './limits.ts'
import { appendSituationLog, emitSituation } from './situation-log.ts'
import type { StoredSituation } from './situation-rows.ts'

/** `JQ` + day in the configured zone + a sequence number of at least four digits, without a maximum. */
const drawNo = async (trx: Db): Promise<string> => {
  const { rows } = await sql<{ day: string; count: number }>`
    select to_char(now() at time zone ${zone.name}, 'YYYYMMDD') as day,
      nextval('police_situation_no_seq')::float8 as count`.execute(trx)
  const { day = '', count = 0 } = rows[0] ?? {}
  return `JQ${day}-${String(count).padStart(4, '0')}`
}

type NewSituation = Omit<Insertable<AllTables['policeSituation']>, 'no'>

/** @returns undefined when the alarm already has its incident */
export const insertSituation = async (trx: Db, given: NewSituation): Promise<StoredSituation | undefined> => {
  const made = await unscoped(trx, 'what it names was read in sight, or comes from an alarm')
    .insertInto('policeSituation')
    .values({ ...given, no: await drawNo(trx) })
    .onConflict((conflict) => conflict.constraint('police_situation_record_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made) await planLimit(trx, made.id)
  return made
}

const getSchool = async (trx: Db, actor: Actor, id: number) => {
  const school = await scoped(trx, actor)
    .selectFrom('school')
    .select(['id', 'name', 'policeDeptId', 'lng', 'lat', 'address'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!school) throw fieldError(SituationDraft, 'schoolId', 'choice')
  return school
}

/** A station by its department; any station, because the receiver of a call passes it to the right one. */
export const assertStation = async (trx: Db, deptId: number): Promise<void> => {
  const found = await trx
    .selectFrom('dept')
    .select('id')
    .where('id', '=', deptId)
    .where('kind', '=', 'POLICE_STATION')
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!found) throw fieldError(SituationDraft, 'stationDeptId', 'choice')
}

const ownStation = async (trx: Db, { deptId }: Actor): Promise<number | null> => {
  const own = trx.selectFrom('dept').select('id').where('id', '=', deptId).where('kind', '=', 'POLICE_STATION')
  return (await own.executeTakeFirst())?.id ?? null
}

/** A call of 110, a manual entry, or a patrol's report: the author has claimed it. */
export const createSituation = (db: Db, draft: SituationDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { actor } = caller
    await checkDictValues(trx, { draft: SituationDraft, types: { category: CATEGORY_DICT } }, draft)
    const school = draft.schoolId ? await getSchool(trx, actor, draft.schoolId) : undefined
    if (draft.stationDeptId) await assertStation(trx, draft.stationDeptId)
    const stationDeptId = draft.stationDeptId ?? school?.policeDeptId ?? (await ownStation(trx, actor))
    if (stationDeptId === null) throw fieldError(SituationDraft, 'stationDeptId', 'required')
    const made = await insertSituation(trx, {
      ...draft,
      externalNo: draft.externalNo ?? null,
      stationDeptId,
      schoolId: school?.id ?? null,
      schoolName: school?.name ?? null,
      place: draft.place ?? school?.address ?? null,
      lng: school?.lng ?? null,
      lat: school?.lat ?? null,
      ownerId: actor.userId,
      claimedAt: new Date(),
      creator: actor.userId,
      updater: actor.userId,
    })
    if (!made) throw new Error('an incident without an alarm conflicts with none')
    await appendSituationLog(trx, made, { verb: 'create', actor, to: made.state, text: made.summary })
    await writeAudit(trx, {
      ...caller,
      action: 'police:situation:create',
      subject: 'police_situation',
      subjectId: made.id,
      before: null,
      after: toAuditState(made),
    })
    await emitSituation(trx, made)
    return made.id
  })

const categories: Record<string, string> = { BULLY: 'BULLYING', FIRE: 'FIRE', MEDICAL: 'HELP' }

const loadAlarm = (trx: Db, recordId: number) =>
  unscoped(trx, 'the alarm was handed to the police in this transaction')
    .selectFrom('warnRecord')
    .leftJoin('school', 'school.id', 'warnRecord.schoolId')
    .select([
      'warnRecord.no',
      'warnRecord.class',
      'warnRecord.level',
      'warnRecord.mode',
      'warnRecord.schoolId',
      'warnRecord.schoolName',
      'warnRecord.placePath',
      'warnRecord.ownerId',
      'warnRecord.silent',
      'school.policeDeptId',
    ])
    .select((eb) => [
      eb.fn.coalesce('warnRecord.lng', 'school.lng').as('lng'),
      eb.fn.coalesce('warnRecord.lat', 'school.lat').as('lat'),
    ])
    .where('warnRecord.id', '=', recordId)
    .executeTakeFirstOrThrow()

/**
 * The open incident that works on this one: itself, or the one that it was merged into. Whoever ends or merges either
 * locks the alarm first, which is locked here, so the other row needs no lock.
 */
const findOpen = async (trx: Db, situation: StoredSituation): Promise<StoredSituation | undefined> => {
  const working =
    situation.state === 'MERGED'
      ? await unscoped(trx, 'the incident that the incident of the alarm was merged into')
          .selectFrom('policeSituation')
          .selectAll()
          .where('id', '=', situation.mergedIntoId)
          .executeTakeFirst()
      : situation
  return working && isOpenSituation(working) ? working : undefined
}

/**
 * The same alarm again: an incident that is returned, closed, or merged into one that is over, is received again; an
 * open one continues.
 */
const receiveAgain = async (trx: Db, recordId: number): Promise<void> => {
  const found = await unscoped(trx, 'the incident of the alarm')
    .selectFrom('policeSituation')
    .select('id')
    .where('warnRecordId', '=', recordId)
    .executeTakeFirstOrThrow()
  const [locked] = await lockSituations(trx, [found.id])
  if (!locked) return
  const { situation } = locked
  const open = await findOpen(trx, situation)
  if (!open) {
    await applySituation(locked, null, 'again', { set: { ownerId: null, reason: null, mergedIntoId: null } })
    return
  }
  await appendSituationLog(trx, situation, { verb: 'again', actor: null })
  if (open.id !== situation.id) await appendSituationLog(trx, open, { verb: 'again', actor: null, text: situation.no })
  await emitSituation(trx, open)
}

/** An alarm that is handed to the police has exactly one incident, created in the same transaction. */
export const createFromAlarm = addHook(alarmHooks.escalated, async (trx, { recordId }) => {
  const alarm = await loadAlarm(trx, recordId)
  const made = await insertSituation(trx, {
    source: 'WARN',
    warnRecordId: recordId,
    mode: alarm.mode,
    category: categories[alarm.class] ?? 'SECURITY',
    grade: alarm.level,
    schoolId: alarm.schoolId,
    schoolName: alarm.schoolName,
    place: alarm.placePath,
    lng: alarm.lng,
    lat: alarm.lat,
    stationDeptId: alarm.policeDeptId,
    summary: `${alarm.no} ${alarm.schoolName ?? ''} ${alarm.placePath ?? ''}`.trim(),
  })
  if (!made) return receiveAgain(trx, recordId)
  await appendSituationLog(trx, made, { verb: 'escalated', actor: null, to: made.state, text: alarm.no })
  await emitSituation(trx, made)
})

/** The school ended the alarm while the police worked on it: their timeline records it. */
export const noteAlarmEnd = addHook(alarmHooks.resolved, async (trx, { recordId }) => {
  const situation = await unscoped(trx, 'the incident of the alarm')
    .selectFrom('policeSituation')
    .selectAll()
    .where('warnRecordId', '=', recordId)
    .where('state', 'in', ['RECEIVED', 'DISPATCHED', 'IN_PROGRESS', 'FED_BACK'])
    .executeTakeFirst()
  if (!situation) return
  await appendSituationLog(trx, situation, { verb: 'recordEnded', actor: null })
  await emitSituation(trx, situation)
})
