import type { RecordSchool } from '@tocsin/contract/alarm/records'
import { useTranslation } from 'react-i18next'

/** School data for a dispatcher: location, police station, number of children. */
export const SchoolLine = ({ school }: { school: RecordSchool }) => {
  const { t } = useTranslation()
  const { address, stationName, studentCount, boarderCount } = school
  const parts = [
    address,
    stationName ?? t('desk.noStation'),
    t('desk.pupils', { n: studentCount }),
    boarderCount > 0 ? t('desk.boarders', { n: boarderCount }) : t('desk.noBoarders'),
  ]
  return <p className="desk-minor">{parts.filter(Boolean).join(' · ')}</p>
}
