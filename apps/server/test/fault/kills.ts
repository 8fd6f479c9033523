/** The number of random kills: enough for each change by default, more by `npm run fault -- --kills N`. */
export const kills = (usual: number): number => {
  const wanted = process.env['FAULT_KILLS']
  if (wanted === undefined) return usual
  const count = Number(wanted)
  if (!Number.isInteger(count) || count < 1) throw new Error(`FAULT_KILLS is a count of kills, not "${wanted}"`)
  return Math.max(1, Math.round((count * usual) / 20))
}

/**
 * The timeout of a test that grows with the kills, in ms: three minutes on two quiet cores are fifteen on busy ones.
 */
export const patience = (): number => 900_000 * Math.max(1, kills(20) / 20)

/** How long the unsent events may stay without a new minimum, in s. */
export const calmSec = (): number => patience() / 6000

export const between = (least: number, most: number): number => least + Math.random() * (most - least)
