import type { Report } from '@tocsin/contract/insight/report'
import { changeOf, changeText, largestChanges, type ReportItem } from '@tocsin/contract/insight/report-items'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'

export const figureText = (value: number | null): string => (value === null ? '–' : String(value))

export const differenceText = (item: ReportItem): string => {
  const change = changeOf(item)
  return change === null ? '–' : changeText(change)
}

/** The largest changes as sentences. */
export const useFindings = (figures: Report['figures']): string[] => {
  const { t } = useTranslation()
  const lang = useLang()
  const changes = largestChanges(figures)
  if (changes.length === 0) return [t('report.noChange')]
  return changes.map((item) =>
    t('report.change', {
      name: enumLabel('reportItem', item.key, lang),
      now: figureText(item.now),
      before: figureText(item.before),
      change: differenceText(item),
    }),
  )
}
