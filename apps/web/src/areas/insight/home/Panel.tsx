import { theme } from 'antd'
import type { ReactNode } from 'react'

type Props = { title?: ReactNode; extra?: ReactNode; wide?: boolean; children: ReactNode }

/** A box of the dashboard. The kit's card would bring its tabs along, into the first page of everybody. */
export const Panel = ({ title, extra, wide = false, children }: Props) => {
  const { token } = theme.useToken()
  return (
    <section
      className={wide ? 'home-panel home-wide' : 'home-panel'}
      style={{ border: `1px solid ${token.colorBorderSecondary}`, borderRadius: token.borderRadiusLG }}
    >
      {title && (
        <header style={{ borderBottom: `1px solid ${token.colorBorderSecondary}` }}>
          <b>{title}</b>
          {extra}
        </header>
      )}
      <div className="home-panel-body">{children}</div>
    </section>
  )
}
