import type { DrawerProps } from 'antd'
import { AppDrawer } from './AppDrawer.tsx'

/** A drawer to read: its content takes the focus, so that the keys scroll it where it has no control. */
export const ReadDrawer = ({ children, ...drawer }: Omit<DrawerProps, 'open'>) => (
  <AppDrawer {...drawer}>
    <div tabIndex={0} className="read-drawer">
      {children}
    </div>
  </AppDrawer>
)
