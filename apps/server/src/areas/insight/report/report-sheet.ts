import { alarmLabel } from '@tocsin/contract/alarm/alarm-labels'
import { type Lang, lookupLabel } from '@tocsin/contract/field'
import { type Report, reports } from '@tocsin/contract/insight/report'
import type { PeriodFigures } from '@tocsin/contract/insight/report-figures'
import { changeOf, listReportItems } from '@tocsin/contract/insight/report-items'
import { reportLabels } from '@tocsin/contract/insight/report-labels'
import { localStamp } from '@tocsin/contract/time-zone'
import { writeExportAudit } from '#areas/audit/access-audit'
import type { Db } from '#db/db'
import type { ExportCell } from '#http/csv'
import type { Caller, FileResponse } from '#http/route'
import { createWorkbook, type WorksheetData, XLSX } from '#spreadsheet/xlsx'
import { getReport } from './reads.ts'

type Query = { id: number; lang?: Lang | undefined }
type Hop = PeriodFigures['govern']['schools'][number]['claimed']

const hops = {
  displayed: ['显示', 'Displayed'],
  claimed: ['接警', 'Claimed'],
  dispatched: ['派人', 'Sent'],
  onSite: ['到场', 'On scene'],
} as const
const hopKeys = ['displayed', 'claimed', 'dispatched', 'onSite'] as const
const levels = [1, 2, 3, 4] as const
const hopText = (hop: keyof typeof hops, lang: Lang): string => hops[hop][lang === 'en' ? 1 : 0]
const THOUSAND = 1000

const comparison = ({ figures }: Report, lang: Lang): ExportCell[][] =>
  listReportItems(figures).map((item) => [
    lookupLabel(reportLabels.reportItem, item.key, lang),
    item.now,
    item.before,
    changeOf(item),
  ])

const hopCells = ({ n, p50, p90, p99 }: Hop): ExportCell[] => [n, p50, p90, p99]

const causeText = (cause: string, lang: Lang): string =>
  alarmLabel(cause.startsWith('FALSE_') ? 'disposition' : 'cause', cause, lang)

const head = (report: Report, lang: Lang): ExportCell[][] => {
  const isEnglish = lang === 'en'
  const { kind, subjectType, subjectName, fromDay, toDay, figuresVersion, issuedAt, issuerName } = report
  return [
    [isEnglish ? 'Subject' : '对象', subjectName],
    [isEnglish ? 'Type of subject' : '对象类型', lookupLabel(reportLabels.reportSubjectType, subjectType, lang)],
    [isEnglish ? 'Period' : '周期', lookupLabel(reportLabels.reportCycle, kind, lang)],
    [isEnglish ? 'First day' : '开始日期', fromDay],
    [isEnglish ? 'Last day' : '结束日期', toDay],
    [isEnglish ? 'Version of figures' : '口径版本', figuresVersion],
    [isEnglish ? 'Issued' : '出具时间', localStamp(issuedAt)],
    [isEnglish ? 'Issued by' : '出具人', issuerName ?? (isEnglish ? 'Server' : '系统')],
  ]
}

/** Text in the language of the reader. */
const chooseText = (lang: Lang) => (zh: string, en: string) => (lang === 'en' ? en : zh)

const alarmPages = ({ figures: { now } }: Report, lang: Lang): WorksheetData[] => {
  const text = chooseText(lang)
  const { byClass, days, byDay, falseAlarms } = now.govern
  const count = text('起数', 'Alarms')
  return [
    {
      name: text('类别', 'Classes'),
      heads: [
        text('类别', 'Class'),
        text('本期', 'This period'),
        text('上一期', 'Period before'),
        text('变化', 'Change'),
      ],
      rows: byClass.map((row) => [alarmLabel('warnClass', row.class, lang), row.n, row.before, row.n - row.before]),
    },
    {
      name: text('每天', 'Days'),
      heads: [text('日期', 'Day'), ...levels.map((level) => alarmLabel('level', level, lang))],
      rows: days.map((day, at) => [day, ...levels.map((level) => byDay[`level${level}`][at] ?? 0)]),
    },
    {
      name: text('误报原因', 'Causes'),
      heads: [text('原因', 'Cause'), count],
      rows: falseAlarms.causes.map(({ cause, n }) => [causeText(cause, lang), n]),
    },
  ]
}

const responsePages = ({ figures: { now, before } }: Report, lang: Lang): WorksheetData[] => {
  const text = chooseText(lang)
  const count = text('起数', 'Alarms')
  const school = text('学校', 'School')
  return [
    {
      name: text('响应', 'Response'),
      heads: [text('环节', 'Step'), count, 'P50 (s)', 'P90 (s)', 'P99 (s)', text('上一期 P90 (s)', 'P90 before (s)')],
      rows: hopKeys.map((hop) => [hopText(hop, lang), ...hopCells(now.govern.hops[hop]), before.govern.hops[hop].p90]),
    },
    {
      name: text('学校的响应', 'Response by school'),
      heads: [
        school,
        count,
        ...(['claimed', 'onSite'] as const).flatMap((hop) =>
          ['P50', 'P90'].map((part) => `${hopText(hop, lang)} ${part} (s)`),
        ),
      ],
      rows: now.govern.schools.map(({ schoolName, n, claimed, onSite }) => [
        schoolName,
        n,
        claimed.p50,
        claimed.p90,
        onSite.p50,
        onSite.p90,
      ]),
    },
  ]
}

const schoolPages = ({ figures: { now } }: Report, lang: Lang): WorksheetData[] => {
  const text = chooseText(lang)
  return [
    {
      name: text('误报率', 'False alarms'),
      heads: [
        text('名次', 'Rank'),
        text('学校', 'School'),
        text('每千台日', 'Per 1,000 device-days'),
        text('区间下限', 'Low'),
        text('区间上限', 'High'),
        text('起数', 'Alarms'),
        text('台日', 'Device-days'),
      ],
      rows: now.govern.league.map(({ rank, schoolName, rate, low, high, events, exposure }) => [
        rank,
        schoolName,
        rate * THOUSAND,
        low * THOUSAND,
        high * THOUSAND,
        events,
        Math.round(exposure),
      ]),
    },
    {
      name: text('就绪度', 'Readiness'),
      heads: [text('日期', 'Day'), text('就绪度', 'Readiness')],
      rows: now.readiness.days.map(({ day, score }) => [day, score]),
    },
  ]
}

export const reportTitle = (
  { subjectName, kind, fromDay }: Pick<Report, 'subjectName' | 'kind' | 'fromDay'>,
  lang: Lang,
) => `${subjectName} ${lookupLabel(reportLabels.reportCycle, kind, lang)} ${fromDay}`

/** One report as a workbook: the comparison first, then a worksheet for each table. */
export const exportReport = async (db: Db, query: Query, caller: Caller): Promise<FileResponse> => {
  const { id, lang = 'zh-cn' } = query
  const report = await getReport(db, caller.actor, id)
  await writeExportAudit(db, caller, { of: reports.export, subject: 'report', query, rows: 1 })
  const text = chooseText(lang)
  const stream = await createWorkbook([
    {
      name: text('比较', 'Comparison'),
      heads: [
        text('指标', 'Figure'),
        text('本期', 'This period'),
        text('上一期', 'Period before'),
        text('变化', 'Change'),
      ],
      rows: comparison(report, lang),
    },
    ...alarmPages(report, lang),
    ...responsePages(report, lang),
    ...schoolPages(report, lang),
    { name: text('关于', 'About'), heads: [text('项目', 'Field'), text('内容', 'Value')], rows: head(report, lang) },
  ])
  return { name: `${reportTitle(report, lang)}.xlsx`, type: XLSX, stream }
}
