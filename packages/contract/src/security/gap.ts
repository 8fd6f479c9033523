import { z } from 'zod'
import { Id, Millis, queryBool, queryId, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'

/** How far ahead gaps are reported. */
export const GAP_HOURS = 24

/** `UNREACHABLE`: the person of the shift is on leave, has left, or has no enabled account. */
export const gapReasons = ['NO_SHIFT', 'UNPUBLISHED', 'ABSENT', 'UNREACHABLE'] as const
export type GapReason = (typeof gapReasons)[number]

/** Hours of a school's posts that no published shift of a person who can receive alarms covers. */
export const CoverageGap = z.strictObject({
  schoolId: field(Id, '学校', 'School'),
  schoolName: field(z.string(), '学校', 'School'),
  from: field(Millis, '开始', 'From'),
  to: field(Millis, '结束', 'To'),
  reason: field(z.enum(gapReasons), '原因', 'Reason'),
  noticedAt: field(Millis.nullable(), '已告知', 'Told'),
})
export type CoverageGap = z.output<typeof CoverageGap>

export const CoverageGapQuery = PageQuery.extend({
  schoolId: field(queryId.optional(), '学校', 'School'),
  reason: field(queryList(gapReasons).optional(), '原因', 'Reason'),
  /** Only gaps that have begun. */
  begun: field(queryBool.optional(), '此刻无人', 'Nobody now'),
})
export type CoverageGapQuery = z.output<typeof CoverageGapQuery>

export const coverageGaps = {
  page: endpoint({
    method: 'GET',
    path: '/security/gap/page',
    kind: 'json',
    permission: 'security:shift:gap',
    scope: 'school',
    summary: '未来 24 小时的覆盖缺口',
    summaryEn: 'Hours of the next 24 in which a school has nobody on duty',
    query: CoverageGapQuery,
    data: page(CoverageGap),
  }),
}
