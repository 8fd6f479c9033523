import { Activity, type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'

const apart = (): HTMLElement => {
  const made = document.createElement('div')
  made.className = 'beneath'
  return made
}

type Props = { covered: boolean; children: ReactNode }

/**
 * The pages, and while they are covered nothing of them in the document: they keep what was typed into them, and are
 * there again as they were left. All they do ends meanwhile, as that of a page behind its tag; what stands above them,
 * as a drawer, is hidden with them.
 */
export const LockedContent = ({ covered, children }: Props) => {
  const [holder] = useState(apart)
  const [hold] = useState(() => (slot: HTMLElement | null) => slot?.append(holder))
  return (
    <>
      {/* Before the pages: what they measure when they come is in its place by then. */}
      {!covered && <div className="beneath" ref={hold} />}
      {createPortal(<Activity mode={covered ? 'hidden' : 'visible'}>{children}</Activity>, holder)}
    </>
  )
}
