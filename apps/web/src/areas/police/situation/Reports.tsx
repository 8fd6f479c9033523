import { possibleReports, reportDueAt } from '@tocsin/contract/police/report'
import type { ReportKind } from '@tocsin/contract/police/report-kind'
import type { SituationDetail } from '@tocsin/contract/police/situation'
import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { Card, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'
import { DueClock } from '#ui/workflow/DueClock.tsx'
import { toAttachments } from './log-attachments.ts'

type Report = SituationDetail['log'][number]

const ReportRow = ({ report, situation }: { report: Report; situation: SituationDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { reportKind, at, text, files } = report
  const dueAt = reportKind && reportDueAt(reportKind, situation)
  const isLate = dueAt !== null && at > dueAt
  return (
    <Flex vertical gap={4}>
      <Flex gap="small" align="center" wrap>
        <strong>{reportKind ? enumLabel('reportKind', reportKind, lang) : t('police.report')}</strong>
        {isLate && <ToneTag tone="wait">{t('police.reportLate')}</ToneTag>}
        <Typography.Text type="secondary">
          {formatActor(report)} · {formatDateTime(at)}
        </Typography.Text>
      </Flex>
      <span className="timeline-note">{text}</span>
      {files.length > 0 && <AttachmentList attachments={toAttachments(files)} />}
    </Flex>
  )
}

/** A report that is still to come, with what is left of its limit. */
const Missing = ({ kind, situation }: { kind: ReportKind; situation: SituationDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const dueAt = reportDueAt(kind, situation)
  const from = kind === 'FIRST' ? situation.arrivedAt : situation.receivedAt
  const label = enumLabel('reportKind', kind, lang)
  return (
    <Flex gap="small" align="center" wrap>
      {dueAt ? <DueClock dueAt={dueAt} {...(from && { from })} label={label} /> : <strong>{label}</strong>}
      <Typography.Text type="secondary">
        {t(kind === 'FIRST' ? 'police.firstReportHelp' : 'police.finalReportHelp')}
      </Typography.Text>
    </Flex>
  )
}

/** Reports of an incident in their order, and those that are still due. */
export const Reports = ({ situation }: { situation: SituationDetail }) => {
  const { t } = useTranslation()
  const reports = situation.log.filter(({ verb }) => verb === 'feedback').toReversed()
  const isOpen = openSituationStates.some((state) => state === situation.state)
  const has = (kind: ReportKind) => reports.some(({ reportKind }) => reportKind === kind)
  const missing = (['FIRST', 'FINAL'] as const).filter(
    (kind) => isOpen && !has(kind) && (kind === 'FINAL' || possibleReports(reports.length).includes('FIRST')),
  )
  return (
    <Card size="small" title={t('police.reports')}>
      <Flex vertical gap="middle">
        {reports.map((report) => (
          <ReportRow key={report.id} report={report} situation={situation} />
        ))}
        {missing.map((kind) => (
          <Missing key={kind} kind={kind} situation={situation} />
        ))}
        {reports.length === 0 && missing.length === 0 && (
          <Typography.Text type="secondary">{t('police.noReports')}</Typography.Text>
        )}
      </Flex>
    </Card>
  )
}
