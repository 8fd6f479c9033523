import { useLayoutEffect, useRef } from 'react'
import { sanitizeToNodes } from './sanitize.ts'
import './rich.css'

/** A formatted text, sanitized again where it is shown: the stored one is not trusted. */
export const RichText = ({ html }: { html: string }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    box.current?.replaceChildren(sanitizeToNodes(html))
  }, [html])
  return <div ref={box} className="rich" />
}
