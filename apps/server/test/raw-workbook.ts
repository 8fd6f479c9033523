import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { zipStream } from '../src/spreadsheet/zip.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'

/** A worksheet by the XML of its cells, row by row; `state` as in the workbook. */
export type RawSheet = { name: string; rows: readonly string[]; state?: string }
type Parts = { strings?: string; formats?: readonly string[] }

/** A cell with an inline text. */
export const textCell = (ref: string, text: string): string => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
/** The cells of a row with texts, from column A. */
export const textCells = (row: number, texts: readonly string[]): string =>
  texts.map((text, at) => textCell(`${String.fromCharCode(65 + at)}${row}`, text)).join('')

const sheetXml = ({ rows }: RawSheet) => {
  const lines = rows.map((cells, at) => `<row r="${at + 1}">${cells}</row>`)
  return `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`

/**
 * A workbook by its XML, like those of other programs. `formats`: the number format of style 1, 2 and so on. `strings`:
 * the inner XML of the shared strings.
 */
export const rawWorkbook = (
  sheets: readonly RawSheet[],
  { strings = '', formats = [] }: Parts = {},
): Promise<Buffer> => {
  const numFmts = formats.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`).join('')
  const xfs = formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"${state ? ` state="${state}"` : ''}/>`,
  )
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${TYPES}"><Override PartName="/xl/workbook.xml" ContentType="${WORKBOOK}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}">${relationship('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${sheets
      .map((_, at) => relationship(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
      .join(
        '',
      )}${relationship('s', 'sharedStrings', 'sharedStrings.xml')}${relationship('t', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${numFmts}</numFmts><cellXfs><xf numFmtId="0"/>${xfs}</cellXfs></styleSheet>`,
    ...Object.fromEntries(sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet)])),
  }
  async function* entries() {
    for (const [name, xml] of Object.entries(files)) yield { name, content: [Buffer.from(xml)] }
  }
  return buffer(Readable.from(zipStream(entries())))
}
