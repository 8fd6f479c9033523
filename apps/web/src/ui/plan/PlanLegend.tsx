import type { FloorPlanRow } from '@tocsin/contract/school/plan/floor-plan'

const steps = [1, 2, 5, 10, 20, 50, 100, 200] as const
/** The longest share of the width that the bar of the scale takes. */
const MAX_SHARE = 0.25

const ScaleBar = ({ width, height, metresPerPixel }: { width: number; height: number; metresPerPixel: number }) => {
  const metres = steps.findLast((step) => step / metresPerPixel <= width * MAX_SHARE)
  if (metres === undefined) return null
  const [left, bottom, tick] = [width * 0.02, height - width * 0.02, width / 120]
  const right = left + metres / metresPerPixel
  return (
    <g className="plan-scale">
      <path d={`M${left} ${bottom - tick}V${bottom}H${right}V${bottom - tick}`} />
      <text x={(left + right) / 2} y={bottom - tick} fontSize={width / 60}>
        {`${metres} m`}
      </text>
    </g>
  )
}

const NorthArrow = ({ width, north }: { width: number; north: number }) => {
  const size = width / 30
  return (
    <g
      className="plan-north"
      transform={`translate(${width - size * 1.5} ${size * 1.5}) rotate(${north})`}
      data-north={north}
    >
      <path d={`M0 ${-size}L${size / 2} ${size / 2}L0 ${size / 4}L${-size / 2} ${size / 2}Z`} />
      <text y={size * 1.2} fontSize={width / 60}>
        N
      </text>
    </g>
  )
}

/** Scale and north of a plan, as far as they are set. North is the angle from the upper edge, clockwise. */
export const PlanLegend = ({ plan: { width, height, metresPerPixel, north } }: { plan: FloorPlanRow }) => (
  <>
    {metresPerPixel !== null && <ScaleBar width={width} height={height} metresPerPixel={metresPerPixel} />}
    {north !== null && <NorthArrow width={width} north={north} />}
  </>
)
