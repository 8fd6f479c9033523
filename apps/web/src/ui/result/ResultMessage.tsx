import { theme } from 'antd'
import type { ReactNode } from 'react'
import './result.css'

type Props = {
  /** A drawing, or the number of an error. */
  mark: ReactNode
  tone?: 'plain' | 'warning' | 'error'
  title: ReactNode
  /** The first of a page that has no name of its own. */
  heading?: 'h1' | 'h2'
  detail?: ReactNode
  /** The ways on. */
  children?: ReactNode
}

/** One thing said in place of what should stand here. The kit's own brings drawings larger than most pages. */
export const ResultMessage = ({ mark, tone = 'plain', title, heading: Heading = 'h2', detail, children }: Props) => {
  const { token } = theme.useToken()
  const colors = { plain: token.colorLink, warning: token.colorWarning, error: token.colorError }
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
