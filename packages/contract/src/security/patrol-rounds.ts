import { z } from 'zod'
import { Day, queryId } from '../codecs.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { PatrolQuery, PatrolRun } from './patrol.ts'

/** Without a first day the rounds of this many days are exported. */
export const PATROL_EXPORT_DAYS = 31

/** Rounds of the patrols that the list shows, or of one patrol. */
export const PatrolRoundQuery = PatrolQuery.extend({
  planId: field(queryId.optional(), '巡查路线', 'Patrol'),
  from: field(Day.optional(), '开始日期', 'From'),
  to: field(Day.optional(), '结束日期', 'To'),
})
export type PatrolRoundQuery = z.output<typeof PatrolRoundQuery>

/** A round with what became of it: the evidence of an inspection. */
export const PatrolRoundRow = PatrolRun.extend({
  schoolName: field(z.string(), '学校', 'School'),
  planName: field(z.string(), '巡查路线', 'Patrol'),
  reached: field(z.int(), '已到点数', 'Points reached'),
  people: field(z.string().nullable(), '巡查人', 'By'),
  oddCount: field(z.int(), '异常', 'Odd'),
})
export type PatrolRoundRow = z.output<typeof PatrolRoundRow>

export const patrolRounds = exportEndpoints({
  permission: 'security:patrol:export',
  scope: 'school',
  path: '/security/patrol',
  title: '巡查轮次',
  titleEn: 'Rounds of patrols',
  query: PatrolRoundQuery,
})
