import { theme } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useLang } from '#texts/i18n.ts'
import { type Entry, titleIn } from '../menu.ts'
import { firstPage, trailTo } from './arrange.ts'

/** Where the open page stands in the menu; each step above leads to its first page. */
export const Crumbs = ({ entries }: { entries: readonly Entry[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { token } = theme.useToken()
  const { pathname } = useLocation()
  const trail = trailTo(entries, pathname)
  if (trail.length === 0) return null
  return (
    <nav aria-label={t('shell.breadcrumb')} className="crumbs">
      <ol style={{ color: token.colorTextSecondary }}>
        {trail.map((entry, at) => {
          const last = at === trail.length - 1
          const to = last ? undefined : firstPage(entry)
          return (
            <li key={entry.key} {...(last && { 'aria-current': 'page', style: { color: token.colorText } })}>
              {to ? (
                <Link to={to} style={{ color: 'inherit' }}>
                  {titleIn(entry, lang)}
                </Link>
              ) : (
                titleIn(entry, lang)
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
