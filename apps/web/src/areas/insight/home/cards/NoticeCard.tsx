import { useQuery } from '@tanstack/react-query'
import { Empty } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { Panel } from '../Panel.tsx'
import { latestNoticesQuery } from '../dashboard-queries.ts'

const MINE = '/myNotice'

/** The user's latest notices, unread ones in bold. */
export const NoticeCard = () => {
  const { t } = useTranslation()
  return (
    <Panel title={t('home.notices')} extra={<Link to={MINE}>{t('home.more')}</Link>}>
      <QueryResult query={useQuery(latestNoticesQuery)}>
        {({ list }) =>
          list.length === 0 ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('notice.noneForMe')} />
          ) : (
            <ul className="home-notices">
              {list.map(({ id, title, level, publishedAt, readAt }) => (
                <li key={id} data-unread={readAt === null}>
                  {level !== 'L' && <EnumTag kind="noticeLevel" value={level} />}
                  <Link to={`${MINE}?id=${id}`}>{title}</Link>
                  <span className="home-more">
                    <RelativeTime at={publishedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  )
}
