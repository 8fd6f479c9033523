/** Prefix of the icon set's names; all others are our own. */
const SET = 'ep:'

export const isEpIcon = (name: string): boolean => name.startsWith(SET)

/** The names that contain every word of a search, in any order. */
export const filterIconNames = (names: readonly string[], text: string): readonly string[] => {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
  return words.length === 0 ? names : names.filter((name) => words.every((word) => name.includes(word)))
}

/** The target of an arrow key in a grid; stays within it. */
export const moveInGrid = (key: string, at: number, { columns, count }: { columns: number; count: number }): number => {
  const to = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: count - 1,
  }[key]
  return to === undefined || to < 0 || to >= count ? at : to
}
