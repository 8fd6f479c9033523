import { Popover, type PopoverProps } from 'antd'
import { type ReactNode, useRef } from 'react'
import { beginIn, holdFocus } from './focus.ts'

type Props = Omit<PopoverProps, 'trigger' | 'content' | 'afterOpenChange'> & { content: ReactNode }

/** What a button opens beside itself: the keys begin in it, and its button has them again afterwards. */
export const AppPopover = ({ content, ...props }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const giveBack = useRef<() => void>(undefined)
  // Before it is shown the kit's pop-up takes no focus, and when it goes it gives none back.
  const turned = (shown: boolean) => {
    if (!shown) return giveBack.current?.()
    giveBack.current = holdFocus()
    if (box.current) beginIn(box.current)
  }
  return <Popover trigger="click" afterOpenChange={turned} content={<div ref={box}>{content}</div>} {...props} />
}
