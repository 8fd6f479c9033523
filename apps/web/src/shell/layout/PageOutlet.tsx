import { theme } from 'antd'
import { useLayoutEffect } from 'react'
import { Outlet, useLocation } from 'react-router'

/** The open page alone; another one begins at its top. */
export const PageOutlet = () => {
  const { token } = theme.useToken()
  const { pathname } = useLocation()
  useLayoutEffect(() => {
    // In braces: newer browsers answer a promise, and what an effect returns is called when it ends.
    window.scrollTo(0, 0)
  }, [pathname])
  return (
    <main id="content" tabIndex={-1} className="layout-main" style={{ background: token.colorBgContainer }}>
      <Outlet />
    </main>
  )
}
