import { codes } from '@tocsin/contract/codes'
import { describe, expect, it } from 'vitest'
import { rawWorkbook, type RawSheet, textCell, textCells } from '../../test/raw-workbook.ts'
import { openTable, readSpreadsheet } from './read-spreadsheet.ts'
import { UnreadableSpreadsheetError } from './sheet-line.ts'

const read = async (bytes: Uint8Array) => Array.fromAsync(readSpreadsheet(bytes))
const sheet = (...rows: string[]): RawSheet => ({ name: '表', rows })
const isHeading = (cells: readonly string[]) => cells.includes('登录名称')
const HEADS = ['登录名称', '用户名称']

describe('cells of a workbook', () => {
  it('names error values and formulas without a result, and keeps text that looks like an error', async () => {
    const cells =
      '<c r="A1" t="e"><f>VLOOKUP(9,X1:Y2,2,0)</f><v>#N/A</v></c>' +
      '<c r="B1"><f>A1+1</f></c><c r="C1"><f>A1+1</f><v></v></c>' +
      '<c r="D1" t="str"><f>IF(1,"","x")</f><v></v></c>' +
      `${textCell('E1', '#REF!')}<c r="F1"><f>1+1</f><v>2</v></c>`
    expect(await read(await rawWorkbook([sheet(cells)]))).toEqual([
      {
        line: 1,
        cells: ['#N/A', '=', '=', '', '#REF!', '2'],
        errors: {
          0: { kind: 'importCellError', text: '#N/A' },
          1: { kind: 'importNoResult', text: '=' },
          2: { kind: 'importNoResult', text: '=' },
        },
      },
    ])
  })

  it('drops pronunciation hints from shared, inline and rich strings', async () => {
    const strings =
      '<si><t>宁东</t><rPh sb="0" eb="1"><t>ning</t></rPh><phoneticPr fontId="1"/></si>' +
      '<si><r><t>欧阳</t></r><r><rPr><b/></rPr><t>小红</t></r><rPh sb="0" eb="2"><t>ouyang</t></rPh></si><si/>'
    const cells =
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>' +
      '<c r="D1" t="inlineStr"><is><t>李明</t><rPh sb="0" eb="2"><t>LiMing</t></rPh></is></c>'
    const [line] = await read(await rawWorkbook([sheet(cells)], { strings }))
    expect(line?.cells).toEqual(['宁东', '欧阳小红', '', '李明'])
  })

  it.each([
    ['General', '0.30000000000000004', '0.3'],
    ['General', '13800000001', '13800000001'],
    ['#,##0.00', '1234.5', '1234.5'],
    ['00000', '42', '00042'],
    ['0%', '0.25', '25%'],
    ['000-0000-0000', '13800000001', '138-0000-0001'],
    ['yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;', '46082', '2026-03-01'],
    ['yyyy/m/d h:mm', '46082.5', '2026-03-01 12:00:00'],
    ['h:mm', '0.25', '06:00:00'],
    ['@', '7', '7'],
  ])('shows a number of the format %s as people read it', async (format, value, text) => {
    const [line] = await read(await rawWorkbook([sheet(`<c r="A1" s="1"><v>${value}</v></c>`)], { formats: [format] }))
    expect(line).toEqual({ line: 1, cells: [text] })
  })

  it('names a number whose last digits the spreadsheet program changed', async () => {
    const [line] = await read(await rawWorkbook([sheet('<c r="A1"><v>4.40106199001011E+17</v></c>')]))
    expect(line?.errors?.[0]).toEqual({ kind: 'importDigits', text: '440106199001011000' })
  })

  it('reads elements with the prefix of a namespace, and cells without a reference', async () => {
    const rows = ['<x:c t="inlineStr"><x:is><x:t>a &amp; b</x:t></x:is></x:c><x:c><x:v>1</x:v></x:c>']
    expect(await read(await rawWorkbook([{ name: '表', rows }]))).toEqual([{ line: 1, cells: ['a & b', '1'] }])
  })

  it('reports the full width of a row with more columns than are read', async () => {
    const [line] = await read(await rawWorkbook([sheet(textCell('A1', 'a') + textCell('CZ1', 'z'))]))
    expect(line).toMatchObject({ width: 104 })
  })

  it('takes linear time for unclosed elements, and rejects tags that are too long', async () => {
    const started = performance.now()
    expect(await read(await rawWorkbook([sheet('<c><v>'.repeat(200_000))]))).toEqual([])
    expect(performance.now() - started).toBeLessThan(5000)
    await expect(read(await rawWorkbook([sheet(`<c ${'a'.repeat(20_000)}>`)]))).rejects.toThrow(
      UnreadableSpreadsheetError,
    )
  })
})

describe('the worksheet of an import', () => {
  const people = { name: '用户', rows: [textCells(1, HEADS), textCells(2, ['a', '甲'])] }
  const table = async (sheets: RawSheet[]) => {
    const { sheet: name, heading, lines } = await openTable(await rawWorkbook(sheets), {}, isHeading)
    return { name, heading: heading?.line, rows: (await Array.fromAsync(lines)).map(({ cells }) => cells) }
  }

  it('is the first visible one with the headings', async () => {
    const found = { name: '用户', heading: 1, rows: [['a', '甲']] }
    const notes = { name: '说明', rows: [textCells(1, ['请先阅读'])] }
    expect(await table([{ ...people, name: '旧', state: 'hidden' }, notes, people])).toEqual(found)
    expect(await table([{ ...people, name: '旧', state: 'veryHidden' }, people, notes])).toEqual(found)
  })

  it('may have a title above the headings', async () => {
    const rows = [textCells(1, ['登记表']), '', textCells(3, HEADS), textCells(4, ['a', '甲'])]
    expect(await table([{ name: '用户', rows }])).toEqual({ name: '用户', heading: 3, rows: [['a', '甲']] })
  })

  it('is named with its first filled row when none has the headings', async () => {
    const rows = ['', textCells(2, ['姓名'])]
    expect(
      await table([
        { name: '空', rows: [] },
        { name: '别的', rows },
      ]),
    ).toEqual({ name: '别的', heading: 2, rows: [] })
  })
})

describe('a text file', () => {
  const text = '登录名称\t用户名称\r\na\t甲\r\n'
  const rows = [HEADS, ['a', '甲']]
  const cells = async (bytes: Uint8Array) => (await read(bytes)).map((line) => line.cells)

  it('is read in UTF-16 with a byte order mark, UTF-8 and GB 18030', async () => {
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
    expect(await cells(utf16)).toEqual(rows)
    expect(await cells(Buffer.from(utf16).swap16())).toEqual(rows)
    expect(await cells(Buffer.from(text))).toEqual(rows)
    expect(await cells(Buffer.from([0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0x61]))).toEqual([['姓名', 'a']])
  })

  it('is rejected naming the line that is no UTF-8', async () => {
    const cut = Buffer.from('登录名称,用户名称\r\na,甲\r\nb,乙').subarray(0, -1)
    await expect(read(cut)).rejects.toMatchObject({ code: codes.importEncoding, params: { line: 3 } })
  })

  it('names error values', async () => {
    const [line] = await read(Buffer.from('#N/A,#1,a\n'))
    expect(line).toMatchObject({ errors: { 0: { kind: 'importCellError', text: '#N/A' } } })
    expect(Object.keys(line?.errors ?? {})).toEqual(['0'])
  })
})
