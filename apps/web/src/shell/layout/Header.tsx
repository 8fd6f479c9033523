import { MenuOutlined, SearchOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Drawer, Flex, theme } from 'antd'
import { memo, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { JobsButton } from '#ui/export/JobsButton.tsx'
import { Bell } from '../bell/Bell.tsx'
import { usePreferences } from '../theme/preferences.ts'
import type { MenuRoutes } from '../menu-routes.ts'
import type { MenuLayout } from './menu-layout.ts'
import { Brand } from './Brand.tsx'
import { Breadcrumbs, PageName } from './Breadcrumbs.tsx'
import { HeaderMenu, SideMenu } from './EntryMenu.tsx'
import { FullScreenButton } from './FullScreen.tsx'
import { LiveIndicator } from '../live/LiveIndicator.tsx'
import { LanguageMenu, SizeMenu, ThemeMenu } from './ToolMenus.tsx'
import { UserMenu } from './UserMenu.tsx'

const DrawerMenu = ({ entries }: Pick<MenuRoutes, 'entries'>) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button type="text" icon={<MenuOutlined />} aria-label={t('shell.menu')} onClick={() => setOpen(true)} />
      <Drawer open={open} onClose={() => setOpen(false)} placement="left" size={280} title={t('shell.product')}>
        <SideMenu entries={entries} onChosen={() => setOpen(false)} />
      </Drawer>
    </>
  )
}

type ToolsProps = {
  plan: MenuRoutes
  wide: boolean
  onSearch: () => void
  onSettings: () => void
  onLock: () => void
}

const Tools = ({ plan, wide, onSearch, onSettings, onLock }: ToolsProps) => {
  const { t } = useTranslation()
  const showSettings = usePreferences((all) => all.showSettings)
  const paths = new Set(plan.routes.map(({ path }) => path))
  return (
    <Flex>
      <Button
        type="text"
        icon={<SearchOutlined />}
        aria-label={t('shell.search')}
        aria-keyshortcuts="Control+K"
        title={`${t('shell.search')} (Ctrl K)`}
        onClick={onSearch}
      />
      {wide && <FullScreenButton />}
      {wide && <SizeMenu />}
      <LanguageMenu />
      <ThemeMenu />
      <JobsButton />
      <Bell />
      {showSettings && wide && (
        <Button
          type="text"
          icon={<SettingOutlined />}
          aria-label={t('shell.settings')}
          title={t('shell.settings')}
          onClick={onSettings}
        />
      )}
      <UserMenu compact={!wide} paths={paths} onSettings={onSettings} onLock={onLock} />
    </Flex>
  )
}

/**
 * The bar above the page: home, menu, live state, and tools. It does not render again with the open page; the parts
 * that depend on the page do so themselves.
 */
export const Header = memo(({ top, drawer, ...tools }: ToolsProps & Pick<MenuLayout, 'top' | 'drawer'>) => {
  const { token } = theme.useToken()
  const layout = usePreferences((all) => all.layout)
  const { plan, wide } = tools
  // The page itself was waited for: links from it are prefetched next.
  const whole = useDeferredValue(true, false)
  const sideOnly = wide && layout === 'left'
  return (
    <Flex
      component="header"
      align="center"
      gap={wide ? 'middle' : 4}
      className="layout-header"
      style={{ background: token.colorBgContainer, borderBottom: `1px solid ${token.colorBorderSecondary}` }}
    >
      {drawer && <DrawerMenu entries={plan.entries} />}
      {!sideOnly && <Brand short={!wide} />}
      {whole && top.length > 0 && <HeaderMenu entries={top} firstLevel={layout === 'mix'} />}
      {sideOnly && <Breadcrumbs plan={plan} />}
      {!wide && <PageName plan={plan} />}
      {!(whole && top.length > 0) && <span style={{ flex: 1 }} />}
      {whole && <LiveIndicator short={!wide} />}
      {whole && <Tools {...tools} />}
    </Flex>
  )
})
