import { theme } from 'antd'
import { useLayoutEffect } from 'react'
import { Outlet, useLocation } from 'react-router'

/** Only the open page; another one starts scrolled to its top. */
export const PageOutlet = () => {
  const { token } = theme.useToken()
  const { pathname } = useLocation()
  useLayoutEffect(() => {
    // In braces: newer browsers return a promise, and React calls what an effect returns.
    window.scrollTo(0, 0)
  }, [pathname])
  return (
    <main id="content" tabIndex={-1} className="layout-main" style={{ background: token.colorBgContainer }}>
      <Outlet />
    </main>
  )
}
