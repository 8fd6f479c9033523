import { Dropdown, type DropdownProps } from 'antd'
import type { KeyboardEvent } from 'react'
import { restoreFocus } from './focus.ts'

type Props = Omit<DropdownProps, 'trigger' | 'autoFocus' | 'onOpenChange' | 'menu'> & {
  menu: NonNullable<DropdownProps['menu']>
  onOpenChange?: (open: boolean) => void
}

/** The entry has handled the key; otherwise the same Enter would press the button that a dialog focuses. */
const swallowEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

/** A menu of a button: arrow keys work at once, and the focus returns to the button afterwards. */
export const DropMenu = ({ menu, onOpenChange, ...props }: Props) => (
  <Dropdown
    menu={{ ...menu, onKeyDown: swallowEnter }}
    trigger={['click']}
    autoFocus
    // While fading out it would take the Esc meant for a dialog that it opened.
    transitionName=""
    onOpenChange={(open) => {
      onOpenChange?.(open)
      if (!open) restoreFocus()
    }}
    {...props}
  />
)
