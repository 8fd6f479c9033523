import { MenuOutlined } from '@ant-design/icons'
import { Button, Drawer, Flex, Grid, theme } from 'antd'
import nprogress from 'nprogress'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useMatches, useNavigation } from 'react-router'
import { useLang } from '#texts/i18n.ts'
import { LiveIndicator, NotLiveBanner } from './LiveIndicator.tsx'
import type { Entry, Title } from './menu.ts'
import { LanguageMenu, ThemeMenu, UserMenu } from './ToolMenus.tsx'
import { TopMenu } from './TopMenu.tsx'

// SPEC 9.
nprogress.configure({ speed: 500, minimum: 0.3, showSpinner: false })

const useProgress = () => {
  const { state } = useNavigation()
  useEffect(() => {
    if (state !== 'idle') nprogress.start()
    else nprogress.done()
  }, [state])
}

/** The open page's name in the browser's tab. */
const useTitle = () => {
  const { t } = useTranslation()
  const lang = useLang()
  // Routes made from menus carry their title as handle, others none.
  const title = useMatches().at(-1)?.handle as Title | undefined
  const name = lang === 'en' ? title?.nameEn || title?.name : title?.name
  useEffect(() => {
    document.title = name ? `${name} - ${t('shell.product')}` : t('shell.product')
  }, [name, t])
}

const NarrowMenu = ({ entries }: { entries: readonly Entry[] }) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button type="text" icon={<MenuOutlined />} aria-label={t('shell.menu')} onClick={() => setOpen(true)} />
      <Drawer open={open} onClose={() => setOpen(false)} placement="left" size={280} title={t('shell.product')}>
        <TopMenu entries={entries} mode="inline" onChosen={() => setOpen(false)} />
      </Drawer>
    </>
  )
}

type Props = {
  entries: readonly Entry[]
  /** What lives above all pages and speaks on each of them, such as the ring. */
  above?: ReactNode
}

/** SPEC 4's layout `top`: menu above, page below; below 992 px the menu waits in a drawer. */
export const Layout = ({ entries, above }: Props) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const wide = Grid.useBreakpoint().lg ?? true
  useProgress()
  useTitle()
  const surface = { background: token.colorBgContainer, borderBottom: `1px solid ${token.colorBorderSecondary}` }
  return (
    <div className="layout" style={{ background: token.colorBgLayout, color: token.colorText }}>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <Flex component="header" align="center" gap={wide ? 'middle' : 4} className="layout-header" style={surface}>
        {!wide && <NarrowMenu entries={entries} />}
        <Link to="/" className="brand" style={{ color: token.colorText }}>
          <img src="/favicon.svg" alt="" width={24} height={24} />
          {t('shell.product')}
        </Link>
        {wide ? <TopMenu entries={entries} mode="horizontal" /> : <span style={{ flex: 1 }} />}
        <LiveIndicator />
        <Flex>
          <LanguageMenu />
          <ThemeMenu />
          <UserMenu compact={!wide} />
        </Flex>
      </Flex>
      <NotLiveBanner />
      {above}
      <main id="content" className="layout-main" style={{ background: token.colorBgContainer }}>
        <Outlet />
      </main>
    </div>
  )
}
