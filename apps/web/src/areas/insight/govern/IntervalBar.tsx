type Props = { low: number; rate: number; high: number; max: number; text: string }

const percentOf = (value: number, max: number): string => `${max > 0 ? (100 * value) / max : 0}%`

/** A rate with its interval on the scale of all rows; the numbers stand beside it. */
export const IntervalBar = ({ low, rate, high, max, text }: Props) => (
  <span className="interval">
    <span className="interval-scale" aria-hidden="true">
      <span
        className="interval-range"
        style={{ insetInlineStart: percentOf(low, max), width: percentOf(high - low, max) }}
      />
      <span className="interval-rate" style={{ insetInlineStart: percentOf(rate, max) }} />
    </span>
    <span className="interval-text">{text}</span>
  </span>
)
