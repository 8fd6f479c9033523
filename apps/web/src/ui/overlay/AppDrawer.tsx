import { Drawer, type DrawerProps } from 'antd'
import { useReturnFocus } from './focus.ts'

/** A drawer that is mounted while open; afterwards the focus returns to what opened it. */
export const AppDrawer = (props: Omit<DrawerProps, 'open'>) => {
  useReturnFocus()
  return <Drawer open {...props} />
}
