import type { Report } from '@tocsin/contract/insight/report'
import { listReportItems, type ReportItem } from '@tocsin/contract/insight/report-items'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { differenceText, figureText } from './report-texts.ts'

type Props = Pick<Report, 'figures'>

/** Every figure beside that of the period before. */
export const ComparisonTable = ({ figures }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { days } = figures.before.govern
  return (
    <section className="chart-panel">
      <h3 className="chart-title">{t('report.comparison')}</h3>
      <div className="chart-subtitle">
        {t('report.comparisonHelp', { from: days.at(0) ?? '–', to: days.at(-1) ?? '–' })}
      </div>
      <ScrollTable<ReportItem>
        size="small"
        pagination={false}
        rowKey="key"
        dataSource={listReportItems(figures)}
        columns={[
          { title: t('report.figure'), render: (_, { key }) => enumLabel('reportItem', key, lang) },
          { title: t('report.now'), align: 'end', render: (_, { now }) => figureText(now) },
          { title: t('report.before'), align: 'end', render: (_, { before }) => figureText(before) },
          { title: t('report.difference'), align: 'end', render: (_, item) => differenceText(item) },
        ]}
      />
    </section>
  )
}
