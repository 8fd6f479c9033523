import { codes, type Params } from '@tocsin/contract/codes'
import { UnreadableSpreadsheetError } from '#spreadsheet/sheet-line'

const startsWith = (bytes: Uint8Array, ...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)

const tryDecode = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const REPLACED = '\uFFFD'
type Signs = { valid: number; broken: number }

/** Counts the non-ASCII characters of a leniently decoded text. */
export const countSigns = (lenient: string, signs: Signs): void => {
  for (const sign of lenient)
    if (sign === REPLACED) signs.broken += 1
    else if (sign > '\u007F') signs.valid += 1
}

/** Text of another encoding has hardly a valid sequence; damaged UTF-8 is mostly valid. */
export const isDamagedUtf8 = ({ valid, broken }: Signs): boolean => broken > 0 && valid >= 2 * broken

const notUtf8 = (lenient: string): UnreadableSpreadsheetError => {
  const line = lenient.slice(0, lenient.indexOf(REPLACED)).split('\n').length
  const params: Params = { line }
  return new UnreadableSpreadsheetError(`line ${line} is no UTF-8`, codes.importEncoding, params)
}

/**
 * Decodes the text of a file: UTF-16 with a byte order mark, as Excel saves "Unicode text", UTF-8, or GB 18030, the
 * default of spreadsheet programs in China. Throws UnreadableSpreadsheetError that names a damaged line.
 */
export const decodeText = (bytes: Uint8Array): string => {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  const utf8 = tryDecode(bytes, 'utf-8')
  if (utf8 !== undefined) return utf8
  const lenient = new TextDecoder('utf-8').decode(bytes)
  const isMarked = startsWith(bytes, 0xef, 0xbb, 0xbf)
  const signs = { valid: 0, broken: 0 }
  countSigns(lenient, signs)
  const chinese = isMarked || isDamagedUtf8(signs) ? undefined : tryDecode(bytes, 'gb18030')
  if (chinese === undefined) throw notUtf8(lenient)
  return chinese
}
