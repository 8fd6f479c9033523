import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import type { UnitQuery, UnitRow, UnitState } from '@tocsin/contract/police/unit'
import { type RawBuilder, sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'

/** Literals, because the index of active assignments serves no parameter. */
const active = sql.join(activeAssignmentStates.map((state) => sql.lit(state)))

/** The most advanced assignment of a unit; a unit without one is free or off duty. */
const furthest = sql`
    select a.state, a.situation_id from assignment a
    where a.unit_id = police_unit.id and a.state in (${active})
    order by array_position(array['ON_SCENE', 'EN_ROUTE', 'RECEIVED', 'ASSIGNED', 'TIMED_OUT'], a.state::text), a.id
    limit 1`

const toUnitState = (assignmentState: RawBuilder<unknown>) => sql<UnitState>`case
  when ${assignmentState} in ('ON_SCENE', 'EN_ROUTE') then ${assignmentState}
  when ${assignmentState} is not null then 'ASSIGNED'
  when police_unit.on_duty then 'FREE' else 'OFF' end`

/** The activity of a unit in a query of units. */
export const unitState = sql<UnitState>`(
  select ${toUnitState(sql`busy.state`)} from (select) one left join lateral (${furthest}) as busy on true)`

const filterUnits = (seen: AllTablesDb, { keyword, deptId, type, onDuty, state }: UnitQuery) =>
  seen
    .selectFrom('policeUnit')
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('policeUnit.name', 'ilike', likePattern(keyword ?? '')),
          eb(
            'policeUnit.id',
            'in',
            eb
              .selectFrom('policeUnitMember')
              .innerJoin('users', 'users.id', 'policeUnitMember.userId')
              .select('policeUnitMember.unitId')
              .where('users.nickname', 'ilike', likePattern(keyword ?? '')),
          ),
        ]),
      ),
    )
    .$if(deptId !== undefined, (q) => q.where('policeUnit.deptId', '=', deptId ?? 0))
    .$if(!!type?.length, (q) => q.where('policeUnit.type', 'in', type ?? []))
    .$if(onDuty !== undefined, (q) => q.where('policeUnit.onDuty', '=', onDuty ?? false))
    .$if(!!state?.length, (q) => q.where(unitState, 'in', state ?? []))

type Joined = {
  id: number
  stationName: string
  state: UnitState
  situationId: number | null
  situationNo: string | null
  members: { id: number; name: string }[]
}

/** Visible units, with station, members and activity. */
export const completeUnits = async (db: Db, units: readonly Row<'policeUnit'>[]): Promise<UnitRow[]> => {
  if (units.length === 0) return []
  const { rows } = await sql<Joined>`
    select police_unit.id, dept.name as station_name, ${toUnitState(sql`busy.state`)} as state, busy.situation_id, s.no as situation_no,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', users.id, 'name', users.nickname) order by users.id)
        from police_unit_member m join users on users.id = m.user_id where m.unit_id = police_unit.id
      ), '[]') as members
    from police_unit join dept on dept.id = police_unit.dept_id
      left join lateral (${furthest}) as busy on true
      left join police_situation s on s.id = busy.situation_id
    where police_unit.id = any(${units.map(({ id }) => id)})`.execute(unscoped(db, 'the units were read in sight'))
  const found = new Map(rows.map((row) => [row.id, row]))
  return units.map((unit) => {
    const more = found.get(unit.id)
    return {
      ...unit,
      stationName: more?.stationName ?? '',
      members: more?.members ?? [],
      state: more?.state ?? 'OFF',
      situationId: more?.situationId ?? null,
      situationNo: more?.situationNo ?? null,
    }
  })
}

const order: ListOrder<UnitQuery> = {
  columns: {
    name: { by: sql`police_unit.name` },
    stationName: { by: sql`(select dept.name from dept where dept.id = police_unit.dept_id)` },
    createTime: { by: sql`police_unit.create_time` },
  },
  usual: sql`police_unit.dept_id, police_unit.name, police_unit.id`,
  id: sql`police_unit.id`,
}

export const pageUnits = async (db: Db, actor: Actor, query: UnitQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterUnits(scoped(db, actor), query)
  const [list, total] = await Promise.all([
    found.selectAll('policeUnit').orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('policeUnit.id')),
  ])
  return { list: await completeUnits(db, list), ...total }
}
