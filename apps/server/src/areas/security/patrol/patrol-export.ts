import { dutyLabel } from '@tocsin/contract/security/duty-labels'
import { addDays, localDay } from '@tocsin/contract/security/hours'
import {
  PATROL_EXPORT_DAYS,
  type PatrolRoundQuery,
  PatrolRoundRow,
  patrolRounds,
} from '@tocsin/contract/security/patrol-rounds'
import { sql } from 'kysely'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { sheetColumn } from '#spreadsheet/column'
import { filterPatrols } from './patrol-reads.ts'

/** Rounds of visible plans; whoever sees a plan sees who walked it. */
const listRounds = (db: Db, actor: Actor, query: PatrolRoundQuery) =>
  unscoped(db, 'rounds, scans and people of visible plans')
    .selectFrom('patrolRun')
    .innerJoin('patrolPlan', 'patrolPlan.id', 'patrolRun.planId')
    .innerJoin('school', 'school.id', 'patrolRun.schoolId')
    .selectAll('patrolRun')
    .select([
      'school.name as schoolName',
      'patrolPlan.name as planName',
      sql<number>`(select count(*)::int from patrol_scan s where s.run_id = patrol_run.id)`.as('reached'),
      sql<number>`(select count(*)::int from patrol_scan s where s.run_id = patrol_run.id and s.is_odd)`.as('oddCount'),
      sql<string | null>`(select string_agg(distinct u.nickname, ', ' order by u.nickname)
        from patrol_scan s join users u on u.id = s.user_id where s.run_id = patrol_run.id)`.as('people'),
    ])
    .where('patrolRun.planId', 'in', filterPatrols(db, actor, query))
    .$if(query.planId !== undefined, (q) => q.where('patrolRun.planId', '=', query.planId ?? 0))
    .where('patrolRun.day', '>=', query.from ?? localDay(addDays(new Date(), 1 - PATROL_EXPORT_DAYS)))
    .$if(query.to !== undefined, (q) => q.where('patrolRun.day', '<=', query.to ?? ''))
    .orderBy('school.name')
    .orderBy('patrolPlan.name')
    .orderBy('patrolPlan.id')
    .orderBy('patrolRun.day')
    .orderBy('patrolRun.round')

export const patrolRoundExport: Exporter<PatrolRoundQuery & ExportOptions, PatrolRoundRow> = {
  endpoints: patrolRounds,
  subject: 'patrol_run',
  name: '巡查轮次',
  nameEn: 'Rounds of patrols',
  columns: async (_db, lang) => [
    sheetColumn(PatrolRoundRow, 'schoolName', { width: 24 }),
    sheetColumn(PatrolRoundRow, 'planName', { width: 24 }),
    sheetColumn(PatrolRoundRow, 'day', { width: 14 }),
    sheetColumn(PatrolRoundRow, 'round'),
    sheetColumn(PatrolRoundRow, 'fromAt', { width: 20 }),
    sheetColumn(PatrolRoundRow, 'toAt', { width: 20 }),
    sheetColumn(PatrolRoundRow, 'state', { cell: (state) => dutyLabel('patrolRunState', state, lang) }),
    sheetColumn(PatrolRoundRow, 'reached'),
    sheetColumn(PatrolRoundRow, 'oddCount'),
    sheetColumn(PatrolRoundRow, 'people', { width: 28 }),
  ],
  rows: (db, actor, query) => listRounds(db, actor, query) as unknown as RowsQuery<PatrolRoundRow>,
}
