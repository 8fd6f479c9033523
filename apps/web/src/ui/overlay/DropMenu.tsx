import { Dropdown, type DropdownProps } from 'antd'
import type { KeyboardEvent } from 'react'
import { restoreFocus } from './focus.ts'

type Props = Omit<DropdownProps, 'trigger' | 'autoFocus' | 'onOpenChange' | 'menu'> & {
  menu: NonNullable<DropdownProps['menu']>
  onOpenChange?: (open: boolean) => void
}

/** The entry has heard it; going on, the same Enter would press whatever button a dialog opened by it focuses. */
const swallowEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

/** A menu that a button opens: the arrows go through it at once, and its button has the focus again afterwards. */
export const DropMenu = ({ menu, onOpenChange, ...props }: Props) => (
  <Dropdown
    menu={{ ...menu, onKeyDown: swallowEnter }}
    trigger={['click']}
    autoFocus
    // While it fades away it would take the Esc meant for a dialog that it opened.
    transitionName=""
    onOpenChange={(open) => {
      onOpenChange?.(open)
      if (!open) restoreFocus()
    }}
    {...props}
  />
)
