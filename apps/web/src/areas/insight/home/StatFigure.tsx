import type { ReactNode } from 'react'
import { Link } from 'react-router'
import './stat-figure.css'

type Props = {
  name: ReactNode
  /** Null: nothing was counted or measured. */
  value: number | null
  /** The list of the counted rows; undefined when the user does not have that screen. */
  to?: string | undefined
  tone?: 'alert' | 'warn' | undefined
  more?: ReactNode
}

/** The first number format of a language takes the browser 30 ms; most figures need none. */
const written = (value: number) => (value < 1000 ? String(value) : value.toLocaleString())

/** One number with its label, linked to the counted rows. */
export const StatFigure = ({ name, value, to, tone, more }: Props) => {
  const content = (
    <>
      <span className="home-name">{name}</span>
      <b className="home-value" data-tone={value !== null && value > 0 ? tone : undefined}>
        {value === null ? '–' : written(value)}
      </b>
      {more && <span className="home-more">{more}</span>}
    </>
  )
  return to === undefined ? (
    <div className="home-figure">{content}</div>
  ) : (
    <Link className="home-figure" to={to}>
      {content}
    </Link>
  )
}
