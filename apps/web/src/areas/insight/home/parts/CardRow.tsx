import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = {
  /** Before the name. */
  tag?: ReactNode
  name: ReactNode
  /** Where the name leads; undefined for users without that screen. */
  to?: string | undefined
  /** At the end of the row. */
  more?: ReactNode
}

/** A row of a card: a tag, a name that leads to the thing, and a short fact at the end. */
export const CardRow = ({ tag, name, to, more }: Props) => (
  <li>
    {tag}
    {to === undefined ? <span className="home-row-name">{name}</span> : <Link to={to}>{name}</Link>}
    {more !== undefined && <span className="home-more">{more}</span>}
  </li>
)
