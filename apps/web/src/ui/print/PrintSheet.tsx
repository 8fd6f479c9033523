import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useSession } from '#api/session.ts'
import { serverNow } from '#api/server-clock.ts'
import { formatDateTime } from '#ui/time.ts'
import './print-sheet.css'

type Props = {
  title: string
  /** Number, place: one line below the title. */
  subtitle?: string
  onDone: () => void
  children: ReactNode
}

/** Prints its content on A4 in place of the page, black on white, and is gone afterwards. */
export const PrintSheet = ({ title, subtitle, onDone, children }: Props) => {
  const { t } = useTranslation()
  const name = useSession(({ user }) => user?.nickname)
  const [at] = useState(serverNow)
  const print = useEffectEvent(() => {
    window.print()
    onDone()
  })
  useEffect(() => {
    // After the layout of the sheet.
    const frame = requestAnimationFrame(() => print())
    return () => cancelAnimationFrame(frame)
  }, [])
  return createPortal(
    <article className="print-sheet">
      <header>
        <span>{t('shell.product')}</span>
        <span>{t('workflow.printedBy', { name: name ?? '', at: formatDateTime(at) })}</span>
      </header>
      <h1>{title}</h1>
      {subtitle && <p>{subtitle}</p>}
      {children}
    </article>,
    document.body,
  )
}

/** Labelled values in a table of two columns. */
export const PrintFacts = ({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <table>
    <tbody>
      {facts.map(([label, value]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td>{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
