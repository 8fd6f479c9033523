import { lookupLabel, type Lang } from '@tocsin/contract/field'
import { ReportRow } from '@tocsin/contract/insight/report'
import { reportLabels } from '@tocsin/contract/insight/report-labels'
import { useTranslation } from 'react-i18next'
import { type Column, column } from '#ui/column.tsx'

export const periodText = ({ fromDay, toDay }: Pick<ReportRow, 'fromDay' | 'toDay'>): string =>
  fromDay === toDay ? fromDay : `${fromDay} – ${toDay}`

export const reportName = (report: ReportRow, lang: Lang): string =>
  `${report.subjectName} ${lookupLabel(reportLabels.reportCycle, report.kind, lang)}`

const Issuer = ({ name }: { name: string | null }) => {
  const { t } = useTranslation()
  return <>{name ?? t('report.server')}</>
}

/** Both days of the period in one column. */
const period: Column<ReportRow> = {
  ...column(ReportRow, 'fromDay', {
    width: 220,
    title: (lang) => (lang === 'en' ? 'Dates' : '期间'),
    show: (_, report) => <span className="stamp">{periodText(report)}</span>,
  }),
  key: 'period',
}

export const reportColumns: readonly Column<ReportRow>[] = [
  column(ReportRow, 'subjectName', { main: true }),
  column(ReportRow, 'subjectType', { width: 152, word: 'reportSubjectType', wideOnly: true }),
  column(ReportRow, 'kind', { width: 104, word: 'reportCycle' }),
  period,
  column(ReportRow, 'issuedAt', { width: 176 }),
  column(ReportRow, 'issuerName', { width: 140, show: (name) => <Issuer name={name} /> }),
  column(ReportRow, 'figuresVersion', { width: 120, figure: true, optional: true }),
]
