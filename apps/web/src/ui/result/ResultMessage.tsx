import { theme } from 'antd'
import type { ReactNode } from 'react'
import '../tone/tones.css'
import './result.css'

type Props = {
  /** An illustration, or the number of an error. */
  mark: ReactNode
  tone?: 'plain' | 'warning' | 'error'
  title: ReactNode
  /** The main heading of a page without a title. */
  heading?: 'h1' | 'h2'
  detail?: ReactNode
  /** Links that lead on. */
  children?: ReactNode
}

/** A message in place of the content. antd's own contains illustrations larger than most pages. */
export const ResultMessage = ({ mark, tone = 'plain', title, heading: Heading = 'h2', detail, children }: Props) => {
  const { token } = theme.useToken()
  const colors = { plain: token.colorLink, warning: 'var(--tone-wait-text)', error: token.colorError }
  return (
    <section className="statement">
      <div className="statement-mark" style={{ color: colors[tone] }}>
        {mark}
      </div>
      <Heading>{title}</Heading>
      {detail && <div style={{ color: token.colorTextSecondary }}>{detail}</div>}
      {children && <div className="statement-ways">{children}</div>}
    </section>
  )
}
