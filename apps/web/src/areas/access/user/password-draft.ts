/** Without look-alike characters: it is read aloud over the telephone. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const pick = (): string => {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return alphabet[number % alphabet.length] ?? ''
}

/** A password for a first sign-in: four groups of four, more than 80 bits. */
export const passwordDraft = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, pick).join('')).join('-')
