import { SchoolReadinessRow } from '@tocsin/contract/insight/readiness'
import { lostPointsText, readinessText } from '@tocsin/contract/insight/readiness-labels'
import { useLang } from '#texts/i18n.ts'
import { type Column, column } from '#ui/column.tsx'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'

const SHOWN = 3

const MainReasons = ({ school: { reasons } }: { school: SchoolReadinessRow }) => {
  const lang = useLang()
  if (reasons.length === 0) return <>–</>
  return (
    <>
      {reasons
        .slice(0, SHOWN)
        .map(({ code, points, value }) => `${lostPointsText(points)} ${readinessText(code, value, lang)}`)
        .join(lang === 'en' ? '; ' : '；')}
    </>
  )
}

const signed = (n: number) => (n > 0 ? `+${n}` : String(n).replace('-', '−'))

export const readinessColumns: readonly Column<SchoolReadinessRow>[] = [
  column(SchoolReadinessRow, 'schoolName', { main: true, width: 220 }),
  column(SchoolReadinessRow, 'score', {
    width: 104,
    show: (score, { schoolId }) => <ReadinessBadge score={score} schoolId={schoolId} />,
  }),
  column(SchoolReadinessRow, 'change', {
    width: 120,
    figure: true,
    show: (change) => (change === null ? '–' : signed(change)),
  }),
  column(SchoolReadinessRow, 'districtName', { width: 160, wideOnly: true }),
  column(SchoolReadinessRow, 'devices', { width: 88, figure: true }),
  column(SchoolReadinessRow, 'low', { width: 120, figure: true }),
  column(SchoolReadinessRow, 'reasons', { show: (_, school) => <MainReasons school={school} /> }),
]
