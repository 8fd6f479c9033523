import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import { maskPhone } from '@tocsin/contract/access/user-contact'
import type { SituationQuery, SituationRow } from '@tocsin/contract/police/situation'
import { openSituationStates, situationStates } from '@tocsin/contract/police/situation-machine'
import { type RawBuilder, sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { unscoped } from '#db/scope'
import { byWord, type ListOrder } from '#db/sort'
import type { Row } from '#db/tables'
import type { TimeWindow } from '#http/time-window'

export type StoredSituation = Row<'policeSituation'>
export type DueStep = NonNullable<SituationRow['dueStep']>

/** Limits of domain 2.9, in seconds. */
const LIMIT = { claim: 30, dispatch: 60, sign: 30, depart: 180, feedback: 1800, close: 86_400 }

/** Minutes that the station allows for the way there. */
export const arriveTarget = sql`(
  select case coalesce(school.area_type, 'URBAN')
    when 'URBAN' then station.arrive_urban_min
    when 'SUBURBAN' then station.arrive_suburban_min
    else station.arrive_rural_min end
  from police_station station left join school on school.id = police_situation.school_id
  where station.dept_id = police_situation.station_dept_id)`

/** The limits started again, or the stamp itself: a step of an earlier round sets no limit of this one. */
const since = (stamp: RawBuilder<unknown>) => sql`greatest(${stamp}, police_situation.limits_from)`

/** When the first unit took a step in this round; milestones are written once and belong to the first round. */
const firstOfRound = (milestone: string, step: string) => sql`(
  case when police_situation.limits_from is null then ${sql.ref(`police_situation.${milestone}`)}
    else (select min(a.${sql.raw(step)}) from assignment a
      where a.situation_id = police_situation.id and a.${sql.raw(step)} >= police_situation.limits_from) end)`
const signed = firstOfRound('signed_at', 'received_at')
const arrived = firstOfRound('arrived_at', 'arrived_at')

/** After a reopening nobody travels until a unit is sent. */
const isTravelling = sql`(${arrived} is null and (police_situation.limits_from is null or exists (
  select from assignment a where a.situation_id = police_situation.id and a.state = any(${[...activeAssignmentStates]}))))`

const [receivedAt, claimedAt, dispatchedAt] = [
  sql`police_situation.received_at`,
  sql`coalesce(police_situation.claimed_at, police_situation.received_at)`,
  sql`police_situation.dispatched_at`,
]

/** One value for each step that has a limit; null in the other states. */
const byStep = <T>(values: Record<DueStep, RawBuilder<unknown>>) => sql<T | null>`(
  case
    when state = 'RECEIVED' and owner_id is null then ${values.CLAIM}
    when state = 'RECEIVED' then ${values.DISPATCH}
    when state = 'DISPATCHED' and ${signed} is null then ${values.SIGN}
    when state = 'DISPATCHED' then ${values.DEPART}
    when state = 'IN_PROGRESS' and ${isTravelling} then ${values.ARRIVE}
    when state = 'IN_PROGRESS' then ${values.FEEDBACK}
    when state = 'FED_BACK' then ${values.CLOSE}
  end)`

const starts: Record<DueStep, RawBuilder<unknown>> = {
  CLAIM: since(receivedAt),
  DISPATCH: since(claimedAt),
  SIGN: since(dispatchedAt),
  DEPART: since(dispatchedAt),
  ARRIVE: since(dispatchedAt),
  FEEDBACK: sql`coalesce(${arrived}, police_situation.limits_from, ${dispatchedAt})`,
  CLOSE: since(receivedAt),
}
const after = (step: Exclude<DueStep, 'ARRIVE'>, seconds: number) =>
  sql`${starts[step]} + make_interval(secs => ${seconds})`

/** When the limit of the next step ends; without a target the travel is never late. */
export const dueAt = byStep<Date>({
  CLAIM: after('CLAIM', LIMIT.claim),
  DISPATCH: after('DISPATCH', LIMIT.dispatch),
  SIGN: after('SIGN', LIMIT.sign),
  DEPART: after('DEPART', LIMIT.depart),
  ARRIVE: sql`${starts.ARRIVE} + make_interval(mins => ${arriveTarget})`,
  FEEDBACK: after('FEEDBACK', LIMIT.feedback),
  CLOSE: after('CLOSE', LIMIT.close),
})

export const dueStep = byStep<DueStep>({
  CLAIM: sql`'CLAIM'`,
  DISPATCH: sql`'DISPATCH'`,
  SIGN: sql`'SIGN'`,
  DEPART: sql`'DEPART'`,
  ARRIVE: sql`'ARRIVE'`,
  FEEDBACK: sql`'FEEDBACK'`,
  CLOSE: sql`'CLOSE'`,
})

const dueFrom = byStep<Date>(starts)

export const filterSituations = (seen: AllTablesDb, query: SituationQuery, { from, to }: TimeWindow) => {
  const { keyword, state, category, source, stationDeptId, schoolId, claimed, overdue, open } = query
  const pattern = likePattern(keyword ?? '')
  return seen
    .selectFrom('policeSituation')
    .where('receivedAt', '>=', from)
    .$if(to !== undefined, (q) => q.where('receivedAt', '<', to as Date))
    .$if(!!state?.length, (q) => q.where('state', 'in', state ?? []))
    .$if(!!source?.length, (q) => q.where('source', 'in', source ?? []))
    .$if(category !== undefined, (q) => q.where('category', '=', category ?? ''))
    .$if(stationDeptId !== undefined, (q) => q.where('stationDeptId', '=', stationDeptId ?? 0))
    .$if(schoolId !== undefined, (q) => q.where('schoolId', '=', schoolId ?? 0))
    .$if(claimed !== undefined, (q) => q.where('ownerId', claimed ? 'is not' : 'is', null))
    .$if(open !== undefined, (q) => q.where('state', open ? 'in' : 'not in', openSituationStates))
    .$if(overdue !== undefined, (q) => q.where(sql<boolean>`coalesce(${dueAt} < now(), false) = ${overdue}`))
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('no', 'ilike', pattern),
          eb('schoolName', 'ilike', pattern),
          eb('place', 'ilike', pattern),
          eb('summary', 'ilike', pattern),
          eb('externalNo', 'ilike', pattern),
          eb(
            'warnRecordId',
            'in',
            eb.selectFrom('warnRecord').select('warnRecord.id').where('warnRecord.no', 'ilike', pattern),
          ),
        ]),
      ),
    )
}

/** The row with related data; every reader sees the names of a visible incident. */
export const situationOrder: ListOrder<SituationQuery> = {
  columns: {
    receivedAt: { by: sql`police_situation.received_at` },
    grade: { by: sql`police_situation.grade` },
    state: { by: byWord(sql`police_situation.state`, situationStates) },
  },
  usual: sql`police_situation.received_at desc, police_situation.id desc`,
  id: sql`police_situation.id`,
}

export const selectSituation = (found: ReturnType<typeof filterSituations>) =>
  found.selectAll('policeSituation').select([
    sql<string | null>`(select r.no from warn_record r where r.id = police_situation.warn_record_id)`.as('recordNo'),
    sql<string | null>`(select dept.name from dept where dept.id = police_situation.station_dept_id)`.as('stationName'),
    sql<string | null>`(select users.nickname from users where users.id = police_situation.owner_id)`.as('ownerName'),
    sql<string>`coalesce((select string_agg(a.responder_name, '、' order by a.id) from assignment a
        where a.situation_id = police_situation.id
          and a.state = any(${[...activeAssignmentStates, 'CLEARED']})), '')`.as('unitNames'),
    sql<number>`(select count(*)::int from police_situation_log l
        where l.situation_id = police_situation.id and l.verb = 'feedback')`.as('feedbackCount'),
    sql<number | null>`${arriveTarget}`.as('arriveTargetMin'),
    dueStep.as('dueStep'),
    dueFrom.as('dueFrom'),
    dueAt.as('dueAt'),
  ])

/** The reporter's number is masked in lists, because nobody calls from a list. */
export const maskReporter = <R extends { reporterMobile: string | null }>(row: R): R => ({
  ...row,
  reporterMobile: row.reporterMobile && maskPhone(row.reporterMobile),
})

/** A row that was read or locked as visible, for lists. */
export const loadSituationRow = async (db: Db, id: number): Promise<SituationRow> => {
  const all = unscoped(db, 'the incident was locked in sight')
  const row = await selectSituation(
    all.selectFrom('policeSituation').where('policeSituation.id', '=', id),
  ).executeTakeFirstOrThrow()
  return maskReporter(row)
}
