import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Button, theme } from 'antd'
import { memo, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { setPreferences, usePreferences } from '../theme/preferences.ts'
import type { MenuEntry } from '../menu-routes.ts'
import { Brand } from './Brand.tsx'
import { SideMenu } from './EntryMenu.tsx'

type Props = {
  entries: readonly MenuEntry[]
  /** Shows the name of the product above the menu. */
  branded: boolean
}

/** The sidebar of the layouts left and mix; whether it is collapsed is stored (SPEC 3, sidebarStatus). */
export const Sidebar = memo(({ entries, branded }: Props) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const collapsed = usePreferences((all) => all.sidebarStatus) === 'closed'
  // The page itself was waited for: links from it are prefetched next.
  const whole = useDeferredValue(true, false)
  const words = t(collapsed ? 'shell.expandSidebar' : 'shell.collapseSidebar')
  return (
    <aside
      className="layout-side"
      style={{ background: token.colorBgContainer, borderInlineEnd: `1px solid ${token.colorBorderSecondary}` }}
    >
      <div className="layout-side-inner">
        {branded && <Brand short={collapsed} />}
        <nav className="layout-side-menu" aria-label={t('shell.menu')}>
          {whole && <SideMenu entries={entries} collapsed={collapsed} />}
        </nav>
        <Button
          type="text"
          className="layout-side-fold"
          icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
          aria-label={words}
          aria-expanded={!collapsed}
          title={words}
          onClick={() => setPreferences({ sidebarStatus: collapsed ? 'opened' : 'closed' })}
        />
      </div>
    </aside>
  )
})
