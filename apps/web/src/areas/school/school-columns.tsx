import { SchoolRow } from '@tocsin/contract/school/school'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { i18n } from '#texts/i18n.ts'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'
import { column } from '#ui/column.tsx'
import { openRecordsPath } from './school-routes.ts'

/** The number of open alarms with a link to them; none is a plain zero, and an unknown number a dash. */
const OpenAlarms = ({ school: { id, openAlarmCount } }: { school: SchoolRow }) => {
  const { t } = useTranslation()
  if (openAlarmCount === null) return <>–</>
  if (openAlarmCount === 0) return <Typography.Text type="secondary">0</Typography.Text>
  return (
    <Link
      to={openRecordsPath(id, 'LIVE')}
      aria-label={`${openAlarmCount} ${t('school.toAlarms')}`}
      onClick={(event) => event.stopPropagation()}
    >
      <strong>{openAlarmCount}</strong>
    </Link>
  )
}

export const schoolColumns = [
  column(SchoolRow, 'name', { main: true }),
  column(SchoolRow, 'code', { wideOnly: true }),
  column(SchoolRow, 'stage', { word: 'stage' }),
  column(SchoolRow, 'eduDeptName', { wideOnly: true }),
  column(SchoolRow, 'policeDeptName'),
  column(SchoolRow, 'studentCount', { figure: true, wideOnly: true }),
  column(SchoolRow, 'deviceCount', {
    figure: true,
    title: () => i18n.t('school.deviceCounts'),
    show: (all, { inServiceCount }) => `${inServiceCount} / ${all}`,
  }),
  column(SchoolRow, 'openAlarmCount', { figure: true, show: (_, school) => <OpenAlarms school={school} /> }),
  column(SchoolRow, 'readiness', { show: (score, { id }) => <ReadinessBadge score={score} schoolId={id} /> }),
  column(SchoolRow, 'status', { tag: 'schoolStatus' }),
]
