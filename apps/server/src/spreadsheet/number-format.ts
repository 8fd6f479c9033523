const DAY_MS = 86_400_000
/** Days from the epoch of a spreadsheet to 1970, and the difference of workbooks that count from 1904. */
const EPOCH = 25_569
const FROM_1904 = 1462
/** Serial 60 is 29 February 1900, which did not exist: days before it count one less. */
const LEAP_BUG = 60
const EXACT_DIGITS = 15

/** Formats without a code in the file (ECMA-376, 18.8.30), with the dates of Chinese editions. */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}
const chineseTimes = [32, 33, 34, 35, 55, 56]
const chineseDates = [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]
for (const id of chineseTimes) builtIn[id] = 'h:mm:ss'
for (const id of chineseDates) builtIn[id] = 'yyyy-mm-dd'

export const builtInFormat = (id: number): string => builtIn[id] ?? 'General'

/** A format without quoted texts, escaped characters, colours and conditions. */
const bareFormat = (format: string): string =>
  format.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')

export type FormatKind = 'plain' | 'date' | 'time' | 'instant' | 'shaped'

/** How numbers of a format are read: unchanged, as a day, a time of day or an instant, or in the displayed format. */
export const formatKind = (format: string): FormatKind => {
  const bare = bareFormat(format)
  if (/[ymdhs]/i.test(bare) && !/general/i.test(bare)) {
    const hasTime = /[hs]/i.test(bare)
    if (!/[yd]/i.test(bare) && hasTime) return 'time'
    return hasTime ? 'instant' : 'date'
  }
  // Leading zeros, percent signs and separators within a number are part of the displayed value.
  const [positive = ''] = bare.split(';')
  const isPlain = /^(general|@|[#?0,]*0?(\.[0#?]*)?(e[+-]0+)?\s*)$/i.test(positive.trim())
  const hasText = /"[^"]+"|\\[^\s]|-\d|\d-|0-0|#-#/.test(format.split(';')[0] ?? '')
  if (/%/.test(bare) || hasText || /^0{2,}$/.test(positive)) return 'shaped'
  return isPlain ? 'plain' : 'shaped'
}

const two = (n: number) => String(n).padStart(2, '0')

/** A serial as the wall clock of the spreadsheet. Spreadsheet dates have no zone. */
export const formatSerial = (serial: number, kind: FormatKind, is1904: boolean): string => {
  const days = is1904 ? serial + FROM_1904 : serial < LEAP_BUG && kind !== 'time' ? serial + 1 : serial
  const at = new Date(Math.round(((days - EPOCH) * DAY_MS) / 1000) * 1000)
  if (Number.isNaN(at.getTime())) return String(serial)
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
  if (kind === 'time') return time
  const day = at.toISOString().slice(0, 10)
  return kind === 'date' ? day : `${day} ${time}`
}

/** A number without the error of binary fractions, such as 0.3 for 0.1 + 0.2, and without an exponent. */
export const plainNumber = (value: number): string => {
  const text = String(Number(value.toPrecision(EXACT_DIGITS)))
  return /e\+/.test(text) ? BigInt(value).toString() : text
}

/** A spreadsheet program keeps 15 digits: further digits are lost. */
export const isInexact = (value: number): boolean => Number.isInteger(value) && Math.abs(value) >= 1e15
