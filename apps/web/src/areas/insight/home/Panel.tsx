import { theme } from 'antd'
import type { ReactNode } from 'react'

type Props = { title?: ReactNode; extra?: ReactNode; wide?: boolean; children: ReactNode }

/** A card of the dashboard. antd's Card would add its tabs to the first page of every user. */
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
