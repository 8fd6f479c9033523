import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import { maskPhone } from '@tocsin/contract/access/user-contact'
import type { SituationQuery, SituationRow } from '@tocsin/contract/police/situation'
import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { TimeWindow } from '#http/time-window'

export type StoredSituation = Row<'policeSituation'>

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

/** When the limit of the next step ends; without a target the travel is never late. */
export const dueAt = sql<Date | null>`(
  case
    when state = 'RECEIVED' and owner_id is null then received_at + make_interval(secs => ${LIMIT.claim})
    when state = 'RECEIVED' then coalesce(claimed_at, received_at) + make_interval(secs => ${LIMIT.dispatch})
    when state = 'DISPATCHED' and signed_at is null then dispatched_at + make_interval(secs => ${LIMIT.sign})
    when state = 'DISPATCHED' then dispatched_at + make_interval(secs => ${LIMIT.depart})
    when state = 'IN_PROGRESS' and arrived_at is null then dispatched_at + make_interval(mins => ${arriveTarget})
    when state = 'IN_PROGRESS' then arrived_at + make_interval(secs => ${LIMIT.feedback})
    when state = 'FED_BACK' then received_at + make_interval(secs => ${LIMIT.close})
  end)`

const dueStep = sql<SituationRow['dueStep']>`(
  case
    when state = 'RECEIVED' and owner_id is null then 'CLAIM'
    when state = 'RECEIVED' then 'DISPATCH'
    when state = 'DISPATCHED' and signed_at is null then 'SIGN'
    when state = 'DISPATCHED' then 'DEPART'
    when state = 'IN_PROGRESS' and arrived_at is null then 'ARRIVE'
    when state = 'IN_PROGRESS' then 'FEEDBACK'
    when state = 'FED_BACK' then 'CLOSE'
  end)`

const dueFrom = sql<Date | null>`(
  case
    when state = 'RECEIVED' then coalesce(claimed_at, received_at)
    when state = 'DISPATCHED' then dispatched_at
    when state = 'IN_PROGRESS' then coalesce(arrived_at, dispatched_at)
    when state = 'FED_BACK' then received_at
  end)`

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
