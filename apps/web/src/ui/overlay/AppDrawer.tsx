import { Drawer, type DrawerProps } from 'antd'
import { useReturnFocus } from './focus.ts'

/** A drawer that is there while it is open; whoever opened it has the focus again afterwards. */
export const AppDrawer = (props: Omit<DrawerProps, 'open'>) => {
  useReturnFocus()
  return <Drawer open {...props} />
}
