import { myAnnouncements } from '@tocsin/contract/announcement/announcement-calls'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { QueryPanel } from '../QueryPanel.tsx'

const LATEST = 5

/** The latest announcements to the user, unread ones in bold. */
export const AnnouncementCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('announcement/index')
  const query = useQuery(inlineQuery(myAnnouncements.page, { query: { pageSize: LATEST } }))
  return (
    <QueryPanel title={t('home.announcements')} extra={list && <Link to={list}>{t('home.more')}</Link>} query={query}>
      {(page) =>
        page.list.length === 0 ? (
          <div className="home-name">{t('home.noAnnouncements')}</div>
        ) : (
          <ul className="home-notices">
            {page.list.map(({ id, title, publishedAt, readState, needsSign }) => (
              <li key={id} data-unread={readState === 'UNREAD' || readState === 'CHANGED'}>
                <Link to={`/announcement/read/${id}`}>{title}</Link>
                {needsSign && readState !== 'SIGNED' && <span className="home-more">{t('home.toSign')}</span>}
                {publishedAt && (
                  <span className="home-more">
                    <RelativeTime at={publishedAt} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </QueryPanel>
  )
}
