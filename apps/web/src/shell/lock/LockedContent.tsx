import { Activity, type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'

const apart = (): HTMLElement => {
  const made = document.createElement('div')
  made.className = 'beneath'
  return made
}

type Props = { covered: boolean; children: ReactNode }

/**
 * The pages; while they are covered nothing of them is in the document. They keep their input and return as they were.
 * Their effects end meanwhile, like those of a page behind its tag; overlays such as drawers are hidden with them.
 */
export const LockedContent = ({ covered, children }: Props) => {
  const [holder] = useState(apart)
  const [hold] = useState(() => (slot: HTMLElement | null) => slot?.append(holder))
  return (
    <>
      {/* Before the pages, so that it has its size when they measure themselves. */}
      {!covered && <div className="beneath" ref={hold} />}
      {createPortal(<Activity mode={covered ? 'hidden' : 'visible'}>{children}</Activity>, holder)}
    </>
  )
}
