import { homes, type ResponseHop, responseLimitSec } from '@tocsin/contract/insight/home'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { QueryPanel } from '../QueryPanel.tsx'
import { EVERY_MS } from './refresh.ts'

const hops: readonly ResponseHop[] = ['displayed', 'claimed', 'onSite']
const parts = ['p50', 'p90', 'p99'] as const

/** How fast alarms of today were seen, claimed and reached, against the limits. */
export const ResponseCard = () => {
  const { t } = useTranslation()
  const pathOf = usePathOf()
  const query = useQuery({ ...inlineQuery(homes.response), refetchInterval: EVERY_MS })
  const records = pathOf('warn/record/index')
  const format = (seconds: number | null) =>
    seconds === null
      ? '–'
      : seconds < 120
        ? t('home.seconds', { n: seconds })
        : t('home.minutes', { n: Math.round(seconds / 6) / 10 })
  const govern = pathOf('dashboard/govern')
  return (
    <QueryPanel title={t('home.response')} extra={govern && <Link to={govern}>{t('home.more')}</Link>} query={query}>
      {(response) =>
        response.displayed.n + response.claimed.n + response.onSite.n === 0 ? (
          <div className="home-name">{t('home.noResponse')}</div>
        ) : (
          <table className="home-table">
            <thead>
              <tr>
                <td />
                {parts.map((part) => (
                  <th key={part} scope="col">
                    {part.toUpperCase()}
                  </th>
                ))}
                <th scope="col">{t('home.limit')}</th>
                <th scope="col">{t('home.alarmCount')}</th>
              </tr>
            </thead>
            <tbody>
              {hops.map((hop) => {
                const { n, p90, ...rest } = response[hop]
                const limit = responseLimitSec[hop]
                const isLate = p90 !== null && p90 > limit
                return (
                  <tr key={hop}>
                    <th scope="row">{t(`govern.${hop}`)}</th>
                    {parts.map((part) => (
                      <td key={part} data-tone={isLate && part === 'p90' ? 'warn' : undefined}>
                        {format(part === 'p90' ? p90 : rest[part])}
                      </td>
                    ))}
                    <td>{format(limit)}</td>
                    <td>
                      {records ? <Link to={`${records}?mode=LIVE&from=${response.since.getTime()}`}>{n}</Link> : n}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )
      }
    </QueryPanel>
  )
}
