/** A keyword as a LIKE pattern that finds it anywhere, its own wildcards taken literally. */
export const like = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
