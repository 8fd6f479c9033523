import { assignments } from '@tocsin/contract/alarm/assignment'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { EVERY_MS } from './refresh.ts'

/** Where the user was sent and is not through yet. */
export const TaskCard = () => {
  const { t } = useTranslation()
  const tasks = usePathOf()('task/index')
  const query = useQuery({ ...inlineQuery(assignments.mine), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.tasks')} extra={tasks && <Link to={tasks}>{t('home.more')}</Link>} query={query}>
      {({ open, unclaimed }) =>
        open.length + unclaimed.length === 0 ? (
          <div className="home-name">{t('home.noTasks')}</div>
        ) : (
          <ul className="home-notices">
            {open.map(({ id, level, schoolName, placePath, firstAt }) => (
              <li key={id}>
                <EnumTag kind="level" value={level} />
                <Link to={tasks ?? ''}>{[schoolName, placePath].filter(Boolean).join(' · ') || t('home.noPlace')}</Link>
                <RelativeTime at={firstAt} />
              </li>
            ))}
            {unclaimed.length > 0 && (
              <li>
                <Link to={tasks ?? ''}>{t('home.unclaimedTasks', { n: unclaimed.length })}</Link>
              </li>
            )}
          </ul>
        )
      }
    </QueryPanel>
  )
}
