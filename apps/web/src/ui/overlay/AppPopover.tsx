import { Popover, type PopoverProps } from 'antd'
import { type ComponentRef, type ReactNode, useRef } from 'react'
import { focusFirstIn, restoreFocus } from './focus.ts'

type Props = Omit<PopoverProps, 'trigger' | 'content' | 'afterOpenChange'> & { content: ReactNode }

/** What a button opens beside itself: the keys begin in it, and its button has them again afterwards. */
export const AppPopover = ({ content, ...props }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const kit = useRef<ComponentRef<typeof Popover>>(null)
  // Before it is shown the kit's pop-up takes no focus, and when it goes it gives none back.
  const turned = (shown: boolean) => {
    const opener = kit.current?.nativeElement
    if (!shown) restoreFocus(opener?.closest('button') ?? opener?.querySelector('button') ?? undefined)
    else if (box.current) focusFirstIn(box.current)
  }
  return (
    <Popover ref={kit} trigger="click" afterOpenChange={turned} content={<div ref={box}>{content}</div>} {...props} />
  )
}
