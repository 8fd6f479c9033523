const DAY_MS = 86_400_000

/** Today by the clock of the browser, in the contract's format. */
export const today = (): string => new Intl.DateTimeFormat('sv').format()

export const daysSince = (day: string): number => Math.round((Date.parse(today()) - Date.parse(day)) / DAY_MS)
