import { useQuery } from '@tanstack/react-query'
import { Empty } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Ago } from '#ui/Ago.tsx'
import { StateTag } from '#ui/StateTag.tsx'
import { Answer } from '#ui/statement/Answer.tsx'
import { Panel } from './Panel.tsx'
import { latestNotices } from './reads.ts'

const MINE = '/myNotice'

/** The latest notices to me, unread ones in bold. */
export const NoticeCard = () => {
  const { t } = useTranslation()
  return (
    <Panel title={t('home.notices')} extra={<Link to={MINE}>{t('home.more')}</Link>}>
      <Answer query={useQuery(latestNotices)}>
        {({ list }) =>
          list.length === 0 ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('notice.noneForMe')} />
          ) : (
            <ul className="home-notices">
              {list.map(({ id, title, level, publishedAt, readAt }) => (
                <li key={id} data-unread={readAt === null}>
                  {level !== 'L' && <StateTag kind="noticeLevel" value={level} />}
                  <Link to={`${MINE}?id=${id}`}>{title}</Link>
                  <span className="home-more">
                    <Ago at={publishedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Panel>
  )
}
