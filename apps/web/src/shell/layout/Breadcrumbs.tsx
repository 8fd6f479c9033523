import { theme } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useMatches } from 'react-router'
import { useLang } from '#texts/i18n.ts'
import { useListCounts } from '#ui/list/list-count.ts'
import { type PageHandle, type MenuRoutes, type Title, localTitle } from '../menu-routes.ts'
import { usePageTitles } from '../page-title.ts'
import { firstPage, breadcrumbTo } from './menu-layout.ts'

type Step = { title: Title; to: string | undefined }

/** From the first page through the menu to the page itself, which may have its own name. */
const useSteps = ({ entries, home }: MenuRoutes): Step[] => {
  const { pathname } = useLocation()
  // Routes made from menus carry this handle; a page without one, as /404, has no breadcrumb.
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const own = usePageTitles((names) => names[pathname])
  if (!handle) return []
  const trail = breadcrumbTo(entries, pathname)
  const start = trail.every(({ path }) => path !== home) ? breadcrumbTo(entries, home ?? '').slice(-1) : []
  const steps = [...start, ...trail].map((entry) => ({ title: entry, to: firstPage(entry) }))
  if (trail.at(-1)?.path === pathname && !trail.at(-1)?.children) return steps
  return [...steps, { title: own ?? handle, to: undefined }]
}

/** The name of the open page for screen readers: a phone has no room for the path. */
export const PageName = ({ plan }: { plan: MenuRoutes }) => {
  const lang = useLang()
  const page = useSteps(plan).at(-1)
  return page && <h1 className="page-name">{localTitle(page.title, lang)}</h1>
}

/** How many rows the list of the page has. */
const Count = () => {
  const { pathname } = useLocation()
  const lang = useLang()
  const found = useListCounts((counts) => counts[pathname])
  if (!found) return null
  const total = found.total.toLocaleString(lang === 'en' ? 'en' : 'zh-CN')
  return <span className="crumb-count">{found.capped ? `${total}+` : total}</span>
}

/** The path of the open page; each step above leads to its first page. */
export const Breadcrumbs = ({ plan }: { plan: MenuRoutes }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { token } = theme.useToken()
  const steps = useSteps(plan)
  if (steps.length === 0) return null
  return (
    <nav aria-label={t('shell.breadcrumb')} className="crumbs">
      <ol style={{ color: token.colorTextSecondary }}>
        {steps.map(({ title, to }, at) => {
          const last = at === steps.length - 1
          return (
            <li key={at} {...(last && { 'aria-current': 'page', style: { color: token.colorText } })}>
              {to && !last ? (
                <Link to={to} style={{ color: 'inherit' }}>
                  {localTitle(title, lang)}
                </Link>
              ) : last ? (
                <>
                  <h1>{localTitle(title, lang)}</h1>
                  <Count />
                </>
              ) : (
                localTitle(title, lang)
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
