import { Popover, type PopoverProps } from 'antd'
import { type ComponentRef, type ReactNode, useRef } from 'react'
import { focusFirstIn, restoreFocus } from './focus.ts'

type Props = Omit<PopoverProps, 'trigger' | 'content' | 'afterOpenChange'> & { content: ReactNode }

/** A pop-up of a button: the focus moves into it, and returns to the button afterwards. */
export const AppPopover = ({ content, ...props }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const kit = useRef<ComponentRef<typeof Popover>>(null)
  // antd's pop-up does not take the focus before it is shown, and does not return it.
  const turned = (shown: boolean) => {
    const opener = kit.current?.nativeElement
    if (!shown) restoreFocus(opener?.closest('button') ?? opener?.querySelector('button') ?? undefined)
    else if (box.current) focusFirstIn(box.current)
  }
  return (
    <Popover ref={kit} trigger="click" afterOpenChange={turned} content={<div ref={box}>{content}</div>} {...props} />
  )
}
