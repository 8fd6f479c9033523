/** Characters that look like a blank though Unicode calls them letters or symbols. */
const blankLike = String.raw`\u115F\u1160\u2800\u3164\uFFA0`
/** Visible format characters: number signs of Arabic and Syriac, and the letters of a flag. */
const visibleFormat = String.raw`\u0600-\u0605\u06DD\u070F\u08E2\u{E0020}-\u{E007F}`

const blank = String.raw`[\p{White_Space}${blankLike}\uFEFF]`
const invisible = String.raw`[[\p{White_Space}\p{Cc}\p{Cf}${blankLike}\u034F]--[${visibleFormat}]]`

const outerBlanks = new RegExp(`^${blank}+|${blank}+$`, 'gv')
const outerInvisibles = new RegExp(`^${invisible}+|${invisible}+$`, 'gv')
const formats = new RegExp(String.raw`[[\p{Cc}\p{Cf}]--[\t\n\r${visibleFormat}]]`, 'gv')

/** A text as it is stored: composed (NFC), without blanks at its ends. */
export const trimText = (text: string): string => text.normalize('NFC').replace(outerBlanks, '')

/** Typed or pasted text for a comparison: like `trimText`, and without invisible marks at its ends. */
export const normalizeText = (text: string): string => text.normalize('NFC').replace(outerInvisibles, '')

const FULL_TO_HALF = 0xfee0
const foldWidth = (text: string): string =>
  text
    .replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_TO_HALF))
    .replaceAll('\u3000', ' ')

/** A code, number or address: as `normalizeText`, of normal width, without invisible marks inside. */
export const normalizeCode = (text: string): string => normalizeText(foldWidth(text).replace(formats, ''))

/**
 * A telephone number without blanks, dashes and brackets, and without the prefix of China before a mobile number. An
 * apostrophe in front is the mark of text in spreadsheets.
 */
export const normalizePhone = (text: string): string =>
  normalizeCode(text)
    .replace(/[\p{White_Space}\p{Dash}().]/gu, '')
    .replace(/^(?:tel:|')+/i, '')
    .replace(/^(?:\+|00)?86(?=1[3-9]\d(?:\d{4}|\*{4})\d{4}$)/, '')

const unread = new RegExp(`${invisible}|[\\uFE00-\\uFE0F]`, 'gv')

/** A name for comparison: texts that look the same are equal. */
export const foldName = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(unread, '').normalize('NFKC')

const joiner = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`
const unseen = new RegExp(
  String.raw`${joiner}|([[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}${blankLike}\u034F]--[${visibleFormat}]])`,
  'gv',
)

/** The code point of the first character that is invisible on one line, such as `U+202E`; undefined without one. */
export const findUnseen = (text: string): string | undefined => {
  for (const [, found] of text.matchAll(unseen)) {
    const code = found?.codePointAt(0)
    if (code !== undefined) return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  }
  return undefined
}

/** Whether any character is visible. */
export const isVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(text)

/** The parameters of a query as users pasted them; blank ones are omitted. */
export const normalizeQuery = <T>(value: T): T => {
  if (typeof value === 'string') return normalizeText(value) as T
  // The same list or object with its texts normalised; dates and numbers stay as they are.
  if (Array.isArray(value)) return value.map(normalizeQuery) as T
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).map(([name, item]) => [name, normalizeQuery(item)] as const)
  return Object.fromEntries(entries.filter(([, item]) => item !== '')) as T
}
