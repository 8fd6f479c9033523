import { create } from 'qrcode'

/** The dark squares as one path, a unit each. */
const squares = (text: string) => {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const dark = [...modules.data].flatMap((bit, at) => (bit ? [at] : []))
  const path = dark.map((at) => `M${at % modules.size} ${Math.floor(at / modules.size)}h1v1h-1z`).join('')
  return { size: modules.size, path }
}

/** A quiet zone of four units, which readers need; the same colors in both themes. */
const MARGIN = 4

export const QrPicture = ({ text, alt }: { text: string; alt: string }) => {
  const { size, path } = squares(text)
  const side = size + 2 * MARGIN
  return (
    <svg role="img" aria-label={alt} viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`} shapeRendering="crispEdges">
      <path d={path} fill="#000000" />
    </svg>
  )
}
