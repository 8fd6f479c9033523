import type { DrawerProps } from 'antd'
import { AppDrawer } from './AppDrawer.tsx'

/** A drawer to read in: its content takes the focus, so that the keys can scroll it where it holds no control. */
export const ReadDrawer = ({ children, ...drawer }: Omit<DrawerProps, 'open'>) => (
  <AppDrawer {...drawer}>
    <div tabIndex={0} className="read-drawer">
      {children}
    </div>
  </AppDrawer>
)
