import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = {
  name: ReactNode
  value: number
  /** Where the things counted are listed; undefined when this person does not have that screen. */
  to?: string | undefined
  tone?: 'alert' | 'warn' | undefined
  more?: ReactNode
}

/** The browser's first look at how a language writes numbers takes it 30 ms; most need none. */
const written = (value: number) => (value < 1000 ? String(value) : value.toLocaleString())

/** One number with its name, leading to what it counts. */
export const StatFigure = ({ name, value, to, tone, more }: Props) => {
  const content = (
    <>
      <span className="home-name">{name}</span>
      <b className="home-value" data-tone={value > 0 ? tone : undefined}>
        {written(value)}
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
