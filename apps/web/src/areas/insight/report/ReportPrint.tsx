import { labelIn } from '@tocsin/contract/field'
import { type Report, ReportRow } from '@tocsin/contract/insight/report'
import { listReportItems } from '@tocsin/contract/insight/report-items'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { PrintFacts, PrintSheet } from '#ui/print/PrintSheet.tsx'
import { formatDateTime } from '#ui/time.ts'
import { periodText, reportName } from './report-columns.tsx'
import { differenceText, figureText, useFindings } from './report-texts.ts'

type Props = { report: Report }
type Cell = string | number

const hops = ['displayed', 'claimed', 'dispatched', 'onSite'] as const
const levels = [1, 2, 3, 4] as const
const THOUSAND = 1000

const PrintTable = ({ title, heads, rows }: { title: string; heads: readonly string[]; rows: readonly Cell[][] }) => {
  if (rows.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells.join('\u0000')}>
              {cells.map((cell, at) => (
                <td key={heads[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const Comparison = ({ report }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <PrintTable
      title={t('report.comparison')}
      heads={[t('report.figure'), t('report.now'), t('report.before'), t('report.difference')]}
      rows={listReportItems(report.figures).map((item) => [
        enumLabel('reportItem', item.key, lang),
        figureText(item.now),
        figureText(item.before),
        differenceText(item),
      ])}
    />
  )
}

const AlarmTables = ({ report }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { byClass, days, byDay, falseAlarms } = report.figures.now.govern
  const causeName = (cause: string) => enumLabel(cause.startsWith('FALSE_') ? 'disposition' : 'cause', cause, lang)
  return (
    <>
      <PrintTable
        title={t('govern.byClass')}
        heads={[t('govern.class'), t('govern.now'), t('govern.before')]}
        rows={byClass.map((row) => [enumLabel('warnClass', row.class, lang), row.n, row.before])}
      />
      <PrintTable
        title={t('govern.byDay')}
        heads={[t('govern.day'), ...levels.map((level) => enumLabel('level', level, lang))]}
        rows={days.map((day, at) => [day, ...levels.map((level) => byDay[`level${level}`][at] ?? 0)])}
      />
      <PrintTable
        title={t('govern.causes')}
        heads={[t('govern.cause'), t('govern.count')]}
        rows={falseAlarms.causes.map(({ cause, n }) => [causeName(cause), n])}
      />
    </>
  )
}

const ResponseTables = ({ report }: Props) => {
  const { t } = useTranslation()
  const { hops: stats, schools, league } = report.figures.now.govern
  return (
    <>
      <PrintTable
        title={t('govern.hops')}
        heads={[t('govern.hop'), t('govern.count'), 'P50 (s)', 'P90 (s)', 'P99 (s)']}
        rows={hops.map((hop) => {
          const { n, p50, p90, p99 } = stats[hop]
          return [t(`govern.${hop}`), n, figureText(p50), figureText(p90), figureText(p99)]
        })}
      />
      <PrintTable
        title={t('govern.schools')}
        heads={[t('govern.school'), t('govern.count'), t('govern.claimedP90'), t('govern.onSiteP90')]}
        rows={schools.map(({ schoolName, n, claimed, onSite }) => [
          schoolName,
          n,
          figureText(claimed.p90),
          figureText(onSite.p90),
        ])}
      />
      <PrintTable
        title={t('govern.league')}
        heads={[t('govern.rank'), t('govern.school'), t('govern.rate'), t('govern.interval'), t('govern.count')]}
        rows={league.map(({ rank, schoolName, rate, low, high, events }) => [
          rank,
          schoolName,
          (rate * THOUSAND).toFixed(1),
          `${(low * THOUSAND).toFixed(1)} – ${(high * THOUSAND).toFixed(1)}`,
          events,
        ])}
      />
    </>
  )
}

/** One report on paper: findings first, then the tables. */
export const ReportPrint = ({ report, onDone }: Props & { onDone: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const findings = useFindings(report.figures)
  const label = (name: keyof typeof ReportRow.shape) => labelIn(lang, ReportRow.shape[name])
  return (
    <PrintSheet title={reportName(report, lang)} subtitle={periodText(report)} onDone={onDone}>
      <PrintFacts
        facts={[
          [label('subjectType'), enumLabel('reportSubjectType', report.subjectType, lang)],
          [label('issuedAt'), formatDateTime(report.issuedAt)],
          [label('issuerName'), report.issuerName ?? t('report.server')],
          [label('figuresVersion'), report.figuresVersion],
        ]}
      />
      <h2>{t('report.findings')}</h2>
      {findings.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Comparison report={report} />
      <AlarmTables report={report} />
      <ResponseTables report={report} />
    </PrintSheet>
  )
}
