import { announcements } from '@tocsin/contract/announcement/announcement-calls'
import { useQuery } from '@tanstack/react-query'
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

const LATEST = 4

type Signed = { id: number; title: string; audience: number | null; signedCount: number }

const ReceiptRow = ({ row: { id, title, audience, signedCount } }: { row: Signed }) => {
  const { t } = useTranslation()
  const of = audience ?? 0
  const words = t('home.signedOf', { n: signedCount, of })
  return (
    <li className="home-receipt">
      <Link to={`/announcement/detail/${id}`}>{title}</Link>
      <span className="home-more">{words}</span>
      <Progress
        percent={of === 0 ? 0 : Math.floor((100 * signedCount) / of)}
        showInfo={false}
        size="small"
        aria-label={words}
      />
    </li>
  )
}

/** How far the latest announcements that must be signed back are. */
export const ReceiptCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('announcement/index')
  const mayCreate = useHasPermission('announcement:announcement:create')
  const filter = { state: ['PUBLISHED' as const], needsSign: true, pageSize: LATEST }
  const query = useQuery({ ...inlineQuery(announcements.page, { query: filter }), refetchInterval: EVERY_MS })
  const to = list && `${list}?tab=managed&state=PUBLISHED&needsSign=true`
  const write = mayCreate ? '/announcement/form' : undefined
  return (
    <QueryPanel title={t('home.receipts')} extra={to && <Link to={to}>{t('home.more')}</Link>} query={query}>
      {(page) =>
        page.list.length === 0 ? (
          <EmptyCard text={t('home.noReceipts')} to={write} label={t('home.writeAnnouncement')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure name={t('home.toBeSigned')} value={page.total} to={to} />
            </div>
            <ul className="home-notices home-rows">
              {page.list.map((row) => (
                <ReceiptRow key={row.id} row={row} />
              ))}
            </ul>
          </>
        )
      }
    </QueryPanel>
  )
}
