import { PrinterOutlined } from '@ant-design/icons'
import { parseInstant } from '@tocsin/contract/codecs'
import { type Report, reports } from '@tocsin/contract/insight/report'
import { addDays } from '@tocsin/contract/security/hours'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import '../govern/govern.css'
import { ByClassChart, ByDayChart, CausesChart, HoursChart } from '../govern/GovernCharts.tsx'
import { HopsChart } from '../govern/HopsChart.tsx'
import { LeagueTable, SchoolTable } from '../govern/LeagueTable.tsx'
import { ComparisonTable } from './ComparisonTable.tsx'
import { ReadinessChart } from './ReadinessChart.tsx'
import { periodText, reportName } from './report-columns.tsx'
import { useFindings } from './report-texts.ts'
import { ReportPrint } from './ReportPrint.tsx'

type Props = { report: Report }

const exportCalls = { export: reports.export }

const Actions = ({ report }: Props) => {
  const { t } = useTranslation()
  const mayExport = useHasPermission('insight:report:export')
  const [isPrinting, setPrinting] = useState(false)
  return (
    <Flex gap="small" wrap className="workflow-verbs">
      {mayExport && <ExportButton calls={exportCalls} query={{ id: report.id }} />}
      <Button icon={<PrinterOutlined />} onClick={() => setPrinting(true)}>
        {t('report.print')}
      </Button>
      {isPrinting && <ReportPrint report={report} onDone={() => setPrinting(false)} />}
    </Flex>
  )
}

const Findings = ({ report }: Props) => {
  const { t } = useTranslation()
  const findings = useFindings(report.figures)
  return (
    <section>
      <p className="govern-finding">{t('report.findings')}</p>
      <ul>
        {findings.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  )
}

const Charts = ({ report }: Props) => {
  const { govern, readiness } = report.figures.now
  const from = parseInstant(report.fromDay) ?? report.issuedAt
  const to = addDays(parseInstant(report.toDay) ?? report.issuedAt, 1)
  return (
    <div className="govern-grid">
      <ComparisonTable figures={report.figures} />
      <ByClassChart figures={govern} />
      <ByDayChart figures={govern} />
      <HopsChart figures={govern} />
      <CausesChart figures={govern} />
      <HoursChart figures={govern} />
      <ReadinessChart days={readiness.days} />
      <SchoolTable figures={govern} from={from} to={to} />
      <LeagueTable figures={govern} from={from} to={to} />
    </div>
  )
}

const Detail = ({ report }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { kind, issuedAt, figuresVersion } = report
  return (
    <WorkflowPage
      title={`${reportName(report, lang)} ${periodText(report)}`}
      tags={<EnumTag kind="reportCycle" value={kind} />}
      subtitle={t('report.asOf', { time: formatDateTime(issuedAt), version: figuresVersion })}
      actions={<Actions report={report} />}
    >
      <Flex vertical gap="middle">
        <Findings report={report} />
        <Charts report={report} />
      </Flex>
    </WorkflowPage>
  )
}

/** One issued report: the largest changes, every figure beside the period before, charts with tables. */
export const ReportDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(reports.get, { query: { id: Number(id) } }))
  const name = query.data && `${query.data.subjectName} ${query.data.fromDay}`
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return <QueryResult query={query}>{(report) => <Detail report={report} />}</QueryResult>
}
