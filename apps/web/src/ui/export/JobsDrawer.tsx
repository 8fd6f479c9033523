import type { JobView } from '@tocsin/contract/files/job'
import { useTranslation } from 'react-i18next'
import { AppDrawer } from '../overlay/AppDrawer.tsx'
import { EmptyList } from '../list/rows/Rows.tsx'
import { JobLine } from './JobLine.tsx'

/** Drawer with the bulk jobs of the user. */
export const JobsDrawer = ({ list, onClose }: { list: readonly JobView[]; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <AppDrawer onClose={onClose} title={t('job.title')} size={420}>
      {list.length === 0 ? (
        <EmptyList text={t('job.none')} />
      ) : (
        <ul className="jobs">
          {list.map((job) => (
            <JobLine key={job.id} job={job} onLeave={onClose} />
          ))}
        </ul>
      )}
    </AppDrawer>
  )
}
