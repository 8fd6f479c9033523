import { theme } from 'antd'
import type { LayoutName } from '../theme/preferences.ts'

/** The positions of the menu bars, as `x y width height` in a picture of 64 by 44. */
const bars: Record<LayoutName, readonly string[]> = {
  left: ['0 0 18 44'],
  top: ['0 0 64 12'],
  mix: ['0 0 64 12', '0 14 18 30'],
}

type Props = { layout: LayoutName; label: string; chosen: boolean; onChoose: () => void }

/** One layout as a small picture to choose; works as a native radio button. */
export const LayoutPicture = ({ layout, label, chosen, onChoose }: Props) => {
  const { token } = theme.useToken()
  return (
    <label className="layout-picture">
      <input type="radio" name="layout" checked={chosen} onChange={onChoose} />
      <svg
        viewBox="0 0 64 44"
        width={72}
        height={50}
        aria-hidden="true"
        style={{ background: token.colorFillSecondary }}
      >
        {bars[layout].map((bar) => {
          const [x, y, width, height] = bar.split(' ')
          return <rect key={bar} x={x} y={y} width={width} height={height} fill={token.colorPrimary} />
        })}
      </svg>
      {label}
    </label>
  )
}
