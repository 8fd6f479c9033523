const MAX_LETTERS = 2

/** The character of the family name, or the first letters of the first and the last name; empty without any. */
export const initialsOf = (name: string): string => {
  const [han] = /\p{Script=Han}/u.exec(name) ?? []
  if (han) return han
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .slice(0, MAX_LETTERS)
    .toUpperCase()
}
