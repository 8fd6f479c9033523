import loaded from 'gcoord'
import type { CoordinateSystem } from './coordinate-system.ts'

// Its types describe an ES module, but Node and the bundler load what it exports by default.
const gcoord = loaded as unknown as (typeof loaded)['default']

const MICRO = 1_000_000
const round = (degrees: number): number => Math.round(degrees * MICRO) / MICRO

type Position = { lng: number; lat: number }

/** CGCS2000 differs from WGS 84 by less than a metre and is taken for it; the shifted systems by 100 to 700 m. */
export const toCgcs2000 = ({ lng, lat }: Position, from: CoordinateSystem): Position => {
  if (from === 'CGCS2000' || from === 'WGS84') return { lng, lat }
  const source = from === 'GCJ02' ? gcoord.GCJ02 : gcoord.BD09
  const [east = lng, north = lat] = gcoord.transform([lng, lat], source, gcoord.WGS84)
  return { lng: round(east), lat: round(north) }
}
