import type { ZipEntry } from './zip.ts'

export type Value = string | number | Date | null
export type WorkbookColumn = { title: string; width: number; date: boolean }
type Workbook = { name: string; columns: readonly WorkbookColumn[]; batches: AsyncIterable<readonly Value[][]> }

/** Maximum rows of a worksheet (Excel's limit); further rows are on another. */
const LAST_ROW = 1_048_576
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/**
 * Characters that XML cannot contain are escaped as ST_Xstring (ECMA-376); so is a carriage return, which XML would
 * change.
 */
const unfit = /[[&<>"\p{Cc}\uFFFE\uFFFF]--[\t\n]]/v
const everyUnfit = /[[&<>"\p{Cc}\uFFFE\uFFFF]--[\t\n]]/gv
const sign = (char: string) => marks[char] ?? `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
const escaped = (text: string): string => (unfit.test(text) ? text.replace(everyUnfit, sign) : text)
/** Otherwise a reader trims the blanks. */
const blank = /^\s|\s$|[\n\t]/

const DAY_MS = 86_400_000
/** Days from the epoch of a spreadsheet to 1970. */
const EPOCH = 25_569

/** `A` for 0, `AA` for 26. */
const letters = (at: number): string =>
  (at < 26 ? '' : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

const cellXml = (ref: string, value: Value): string => {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return ''
  if (typeof value === 'string')
    return `<c r="${ref}" t="inlineStr"><is><t${blank.test(value) ? ' xml:space="preserve"' : ''}>${escaped(value)}</t></is></c>`
  if (typeof value === 'number') return `<c r="${ref}"><v>${value}</v></c>`
  return `<c r="${ref}" s="1"><v>${value.getTime() / DAY_MS + EPOCH}</v></c>`
}

const rowXml = (no: number, values: readonly Value[], names: readonly string[]): string => {
  let cells = ''
  for (let at = 0; at < values.length; at += 1) cells += cellXml(`${names[at]}${no}`, values[at] ?? null)
  return `<row r="${no}">${cells}</row>`
}

/** Writes rows of batches into consecutive worksheets. */
const taking = (batches: AsyncIterable<readonly Value[][]>) => {
  const source = batches[Symbol.asyncIterator]()
  let left: readonly Value[][] = []
  let over = false
  const fill = async (): Promise<boolean> => {
    while (!over && left.length === 0) {
      const { done, value } = await source.next()
      if (done) over = true
      else left = value
    }
    return left.length > 0
  }
  const take = (most: number) => {
    const taken = left.slice(0, most)
    left = left.slice(taken.length)
    return taken
  }
  return { fill, take, end: () => source.return?.() }
}
type Taking = ReturnType<typeof taking>

async function* sheetXml(columns: readonly WorkbookColumn[], rows: Taking, last: number): AsyncGenerator<Buffer> {
  const names = columns.map((_, at) => letters(at))
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const heads = columns.map(({ title }) => title)
  yield Buffer.from(
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
      `<cols>${widths.join('')}</cols><sheetData>${rowXml(1, heads, names)}`,
  )
  for (let no = 1; no < last && (await rows.fill()); ) {
    let text = ''
    for (const values of rows.take(last - no)) {
      no += 1
      text += rowXml(no, values, names)
    }
    yield Buffer.from(text)
  }
  yield Buffer.from('</sheetData></worksheet>')
}

const stylesXml = (format: string) =>
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="${escaped(format)}"/></numFmts>` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/** The files beside the worksheets, which list how many there are. */
const frame = (title: string, count: number, format: string): Record<string, string> => {
  const sheets = Array.from({ length: count }, (_, at) => at + 1)
  const each = (text: (no: number) => string) => sheets.map(text).join('')
  const named = (no: number) => (no === 1 ? title : `${title.slice(0, 25)} (${no})`)
  return {
    'xl/styles.xml': stylesXml(format),
    'xl/workbook.xml':
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
      `${each((no) => `<sheet name="${escaped(named(no))}" sheetId="${no}" r:id="rId${no}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
      each((no) => `<Relationship Id="rId${no}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${no}.xml"/>`) +
      `<Relationship Id="rId${count + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels':
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>` +
      each((no) => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${TYPES}.worksheet+xml"/>`) +
      '</Types>',
  }
}

/**
 * The files of a workbook whose rows come in batches, each read to its end before the next is requested. A library took
 * three times as long.
 * @param format of cells with an instant
 * @param last row of a worksheet; further rows are on the next
 */
export async function* workbookFiles(
  { name, columns, batches }: Workbook,
  format: string,
  last = LAST_ROW,
): AsyncGenerator<ZipEntry> {
  const rows = taking(batches)
  let count = 0
  try {
    do {
      count += 1
      yield { name: `xl/worksheets/sheet${count}.xml`, content: sheetXml(columns, rows, last) }
    } while (await rows.fill())
  } finally {
    await rows.end()
  }
  for (const [file, text] of Object.entries(frame(name, count, format)))
    yield { name: file, content: [Buffer.from(text)] }
}
