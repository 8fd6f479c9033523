import {
  builtInFormat,
  formatKind,
  type FormatKind,
  formatSerial,
  isInexact,
  plainNumber,
} from '#spreadsheet/number-format'
import type { CellProblem, CellText, WorksheetRow } from '#spreadsheet/sheet-line'
import { listTags, parseAttributes, parseRichText, parseValueText, xmlElements } from '#spreadsheet/xml'

type FormatValue = (value: unknown, format: string) => string
type Style = { format: string; kind: FormatKind }
/** The shared data that cells of a workbook refer to. */
export type CellContext = {
  strings: readonly string[]
  styles: readonly Style[]
  is1904: boolean
  formatValue: FormatValue
}

export const parseSharedStrings = (xml: string): string[] =>
  Array.from(xmlElements(xml, 'si'), ({ inner = '' }) => parseRichText(inner))

export const parseStyles = (xml: string): Style[] => {
  const formats = new Map(
    listTags(xml, 'numFmt').map(({ numFmtId, formatCode = '' }) => [Number(numFmtId), formatCode]),
  )
  const [cellXfs] = xmlElements(xml, 'cellXfs')
  return listTags(cellXfs?.inner ?? '', 'xf').map(({ numFmtId }) => {
    const id = Number(numFmtId ?? 0)
    const format = formats.get(id) ?? builtInFormat(id)
    return { format, kind: formatKind(format) }
  })
}

const plain: Style = { format: 'General', kind: 'plain' }

const numberText = (value: number, style: Style, { is1904, formatValue }: CellContext): CellText => {
  if (isInexact(value)) {
    const text = plainNumber(value)
    return { text, problem: { kind: 'importDigits', text } }
  }
  if (style.kind === 'plain') return { text: plainNumber(value) }
  if (style.kind === 'shaped') return { text: formatValue(value, style.format) }
  return { text: formatSerial(value, style.kind, is1904) }
}

const problemOf = (kind: CellProblem['kind'], text: string): CellText => ({ text, problem: { kind, text } })

const booleanText = (value: string): string => (value === '1' || value.toLowerCase() === 'true' ? '是' : '否')

/** The displayed text of a cell by its type (ECMA-376, 18.18.11). */
const parseCell = (attributes: Record<string, string>, inner: string, context: CellContext): CellText => {
  const { t: type = 'n', s } = attributes
  if (type === 'inlineStr') return { text: parseRichText(inner) }
  const [found] = xmlElements(inner, 'v')
  const value = found && (found.inner ?? '')
  const hasFormula = listTags(inner, 'f').length > 0
  if (hasFormula && type !== 'str' && !value) return problemOf('importNoResult', '=')
  if (value === undefined) return { text: '' }
  if (type === 's') return { text: context.strings[Number(value)] ?? '' }
  if (type === 'str') return { text: parseValueText(value) }
  if (type === 'b') return { text: booleanText(value) }
  if (type === 'e') return problemOf('importCellError', parseValueText(value))
  if (type === 'd') return { text: parseValueText(value).replace('T', ' ') }
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number)) return { text: parseValueText(value) }
  return numberText(number, context.styles[Number(s ?? 0)] ?? plain, context)
}

/** `C` of `C12` as 2; undefined for a cell without a reference. */
const columnOf = (ref: string | undefined): number | undefined => {
  const found = /^([A-Za-z]{1,3})\d/.exec(ref ?? '')?.[1]
  if (!found) return undefined
  let column = 0
  for (const sign of found.toUpperCase()) column = column * 26 + sign.charCodeAt(0) - 64
  return column - 1
}

const parseRow = (line: number, inner: string, context: CellContext): WorksheetRow => {
  const cells: CellText[] = []
  let next = 0
  for (const { tag, inner: content } of xmlElements(inner, 'c')) {
    const attributes = parseAttributes(tag)
    const at = columnOf(attributes['r']) ?? next
    next = at + 1
    if (content) cells[at] = parseCell(attributes, content, context)
  }
  return { line, cells }
}

/** Longer than any row of a spreadsheet that people fill in. */
const MAX_ROW_CHARS = 8 * 1024 * 1024

/** The rows of a worksheet while its text arrives. Throws RangeError for a row that is too long. */
export async function* parseRows(chunks: AsyncIterable<Buffer>, context: CellContext): AsyncGenerator<WorksheetRow> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    let read = 0
    for (const { tag, inner, end } of xmlElements(rest, 'row')) {
      const { r } = parseAttributes(tag)
      line = r ? Number(r) : line + 1
      read = end
      if (inner !== undefined) yield parseRow(line, inner, context)
    }
    if (read > 0) rest = rest.slice(read)
    if (rest.length > MAX_ROW_CHARS) throw new RangeError('a row is too long')
  }
}
