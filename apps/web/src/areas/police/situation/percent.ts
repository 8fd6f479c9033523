/** One decimal; a dash where there is nothing to count. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`
