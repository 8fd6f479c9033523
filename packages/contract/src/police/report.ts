import { z } from 'zod'
import { Id } from '../codecs.ts'
import { field } from '../field.ts'
import type { ReportKind } from './report-kind.ts'
import type { SituationRow } from './situation.ts'

/** The first report is due so long after the first unit arrived, the final one so long after the incident came. */
export const FIRST_REPORT_SEC = 1800
export const FINAL_REPORT_SEC = 86_400

/** A first report comes once and before every other; a short matter may begin with its final report. */
export const possibleReports = (earlier: number): readonly ReportKind[] =>
  earlier === 0 ? ['FIRST', 'FINAL'] : ['FOLLOW_UP', 'FINAL']

type Reported = Pick<SituationRow, 'arrivedAt' | 'receivedAt'>

/** When a report of this kind is due; null where there is no limit, or it does not run yet. */
export const reportDueAt = (kind: ReportKind, { arrivedAt, receivedAt }: Reported): Date | null => {
  if (kind === 'FIRST') return arrivedAt && new Date(arrivedAt.getTime() + FIRST_REPORT_SEC * 1000)
  return kind === 'FINAL' ? new Date(receivedAt.getTime() + FINAL_REPORT_SEC * 1000) : null
}

/** Upper limits of the buckets in seconds; the last bucket is everything above (domain 2.9). */
export const bucketLimits = {
  sign: [30, 60, 120, 180],
  depart: [300, 600, 900, 1800],
  feedback: [1800, 3600, 7200, 14_400],
} as const
export type BucketStep = keyof typeof bucketLimits

const counts = (zh: string, en: string) => field(z.array(z.int()).length(5), zh, en)

/** How long live incidents took, of those that a list finds. */
export const SituationTimes = z.strictObject({
  total: field(z.int(), '警单数', 'Incidents'),
  sign: counts('签收用时', 'Time to receive'),
  depart: counts('出警用时', 'Time to depart'),
  feedback: counts('反馈用时', 'Time to report back'),
  arriveMet: field(z.int(), '到场达标', 'Arrived in time'),
  arriveLate: field(z.int(), '到场超时', 'Arrived late'),
  /** The unit that took longest to receive. */
  slowest: z.strictObject({ situationId: Id, no: z.string(), unitName: z.string(), seconds: z.int() }).nullable(),
})
export type SituationTimes = z.output<typeof SituationTimes>
