import { zone } from '@tocsin/contract/time-zone'
import { Millis } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'
import { unzipSync } from 'fflate'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sheetColumn } from './column.ts'
import { readSpreadsheet } from './read-spreadsheet.ts'
import { UnreadableSpreadsheetError } from './sheet-line.ts'
import { uncompressedSize } from './zip-entries.ts'
import { workbookFiles } from './workbook.ts'
import { createWorkbook, xlsxStream } from './xlsx.ts'
import { zipStream } from './zip.ts'

const Row = z.strictObject({
  text: field(z.string(), '文本', 'Text'),
  at: field(Millis.nullable(), '时间', 'At'),
  on: field(z.boolean(), '开启', 'On'),
})
type Row = z.output<typeof Row>
const columns = [sheetColumn(Row, 'text'), sheetColumn(Row, 'at'), sheetColumn(Row, 'on')]

async function* once(rows: Row[]) {
  yield rows
}
const written = (rows: Row[]) => buffer(xlsxStream('页', columns, once(rows)))
const read = async (bytes: Uint8Array) => Array.fromAsync(readSpreadsheet(bytes))

afterEach(() => {
  zone.name = 'Asia/Shanghai'
})

describe('a workbook', () => {
  it.each([
    '=1+1',
    '+1',
    '@A',
    '_x000D_',
    '_x_',
    '0013',
    '1e5',
    'a\nb',
    '<&">',
    '\u{1F600}',
    "'x",
    '#REF!',
    'a\rb',
    '"',
    '\u0001',
  ])('keeps the text %j as it is', async (text) => {
    const lines = await read(await written([{ text, at: null, on: true }]))
    expect(lines).toEqual([
      { line: 1, cells: ['文本', '时间', '开启'] },
      { line: 2, cells: [text, '', '是'] },
    ])
  })

  it('shows instants in the wall clock of the zone', async () => {
    const at = new Date('2026-03-01T16:30:05Z')
    expect((await read(await written([{ text: 'x', at, on: false }])))[1]?.cells).toEqual([
      'x',
      '2026-03-02 00:30:05',
      '否',
    ])
    zone.name = 'Europe/Berlin'
    expect((await read(await written([{ text: 'x', at, on: false }])))[1]?.cells[1]).toBe('2026-03-01 17:30:05')
  })

  it('reads no row before it is fetched, and ends its source when the reader stops', async () => {
    let made = 0
    let ended = false
    async function* endless() {
      try {
        for (;;) {
          made += 1
          yield [{ text: `${made}${'x'.repeat(1000)}`, at: null, on: true }]
          await pause(0)
        }
      } finally {
        ended = true
      }
    }
    const stream = xlsxStream('页', columns, endless())
    const chunks = stream[Symbol.asyncIterator]()
    // The first bytes belong to the archive itself.
    while (made === 0) await chunks.next()
    stream.destroy()
    await expect.poll(() => ended).toBe(true)
    expect(made).toBeLessThan(5000)
  })

  it('continues on another worksheet when one is full, with headings, in an archive that any tool unpacks', async () => {
    async function* batches() {
      yield [['a'], ['b'], ['c']]
      yield [['d'], ['e<']]
    }
    const workbook = { name: '页', columns: [{ title: '文本', width: 16, date: false }], batches: batches() }
    const bytes = await buffer(Readable.from(zipStream(workbookFiles(workbook, 'yyyy', 3))))
    const files = Object.entries(unzipSync(bytes)).map(([name, file]) => [name, Buffer.from(file).toString()] as const)
    const sheets = files.filter(([name]) => name.startsWith('xl/worksheets/'))
    const textsOf = (xml: string) => [...xml.matchAll(/<t>(.*?)<\/t>/g)].map(([, text]) => text)
    expect(sheets.map(([name, xml]) => [name, textsOf(xml)])).toEqual([
      ['xl/worksheets/sheet1.xml', ['文本', 'a', 'b']],
      ['xl/worksheets/sheet2.xml', ['文本', 'c', 'd']],
      ['xl/worksheets/sheet3.xml', ['文本', 'e&lt;']],
    ])
    const all = files.map(([, xml]) => xml).join('')
    expect(all).toContain('<sheet name="页" sheetId="1" r:id="rId1"/><sheet name="页 (2)" sheetId="2" r:id="rId2"/>')
    expect(all.match(/PartName="\/xl\/worksheets/g)).toHaveLength(3)
  })

  it('marks a text cut at the limit of an Excel cell, and keeps the longest one whole', async () => {
    const longest = '长'.repeat(32_767)
    // The file ends in the middle of a character.
    const beyond = `x${'🚨'.repeat(20_000)}`
    const rows = [longest, beyond].map((text) => ({ text, at: null, on: true }))
    const [, whole, cut] = await read(await written(rows))
    expect(whole?.cells[0]).toBe(longest)
    const text = cut?.cells[0] ?? ''
    expect(text.length).toBeLessThanOrEqual(32_767)
    expect(text).toMatch(/^x🚨{16000,} … \[已截断 \/ cut\]$/u)
  })

  it('fails when its source fails', async () => {
    async function* failing(): AsyncGenerator<Row[]> {
      yield [{ text: 'x', at: null, on: true }]
      throw new Error('the database')
    }
    await expect(buffer(xlsxStream('页', columns, failing()))).rejects.toThrow('the database')
  })
})

describe('an uploaded spreadsheet', () => {
  it('is rejected before unpacking when it is too large or does not state its size', async () => {
    const rows = Array.from({ length: 2000 }, () => ['a'.repeat(200)])
    const bytes = await buffer(await createWorkbook([{ name: 'x', heads: ['h'], rows }]))
    const read = (given: Uint8Array, unpacked?: number) =>
      Array.fromAsync(readSpreadsheet(given, unpacked === undefined ? {} : { unpacked }))
    const size = uncompressedSize(bytes) ?? 0
    expect(size).toBeGreaterThan(5 * bytes.length)
    expect(await read(bytes, size)).toHaveLength(2001)
    await expect(read(bytes, size - 1)).rejects.toThrow(UnreadableSpreadsheetError)
    const silent = Buffer.from(bytes)
    for (let at = silent.indexOf('PK\u0001\u0002'); at >= 0; at = silent.indexOf('PK\u0001\u0002', at + 1))
      silent.writeUInt32LE(0, at + 24)
    expect(uncompressedSize(silent)).toBeUndefined()
    await expect(read(silent)).rejects.toThrow(UnreadableSpreadsheetError)
  })

  const bytes = (text: string) => new TextEncoder().encode(text)

  it('is rejected when repeated shared texts are too long in total, however small the file is', async () => {
    const text = 'x'.repeat(32_000)
    const sharing = async (lines: number) =>
      buffer(await createWorkbook([{ name: 'x', heads: ['h'], rows: Array<string[]>(lines).fill([text]) }]))
    const small = await sharing(100)
    expect(await Array.fromAsync(readSpreadsheet(small, { kept: 4_000_000 }))).toHaveLength(101)
    await expect(Array.fromAsync(readSpreadsheet(small, { kept: 3_000_000 }))).rejects.toThrow(
      UnreadableSpreadsheetError,
    )
    const large = await sharing(4300)
    expect(uncompressedSize(large)).toBeLessThan(400_000)
    await expect(read(large)).rejects.toThrow(UnreadableSpreadsheetError)
  })

  it('counts lines like the spreadsheet, and omits empty ones', async () => {
    const file = await buffer(
      await createWorkbook([{ name: '页', heads: ['a'], rows: [[null], ['x'], [' '], [13_800_000_001]] }]),
    )
    expect(await read(file)).toEqual([
      { line: 1, cells: ['a'] },
      { line: 3, cells: ['x'] },
      { line: 5, cells: ['13800000001'] },
    ])
  })

  it('is read as text in any usual separation, with a byte order mark, quotes and text marks', async () => {
    const cells = async (text: string) => (await read(bytes(text))).map((line) => line.cells)
    expect(await cells('\uFEFFa,b\r\n"x, ""y""","\'=1"\r\n')).toEqual([
      ['a', 'b'],
      ['x, "y"', '=1'],
    ])
    expect(await cells('a;b\nx;y\n')).toEqual([
      ['a', 'b'],
      ['x', 'y'],
    ])
    expect(await cells('a\tb\nx\ty\n')).toEqual([
      ['a', 'b'],
      ['x', 'y'],
    ])
  })

  it('is cut beyond the size of any real spreadsheet', async () => {
    const [line] = await read(bytes(Array.from({ length: 500 }, (_, at) => at).join(',')))
    expect(line?.cells).toHaveLength(100)
  })

  it('ends when its reader stops, however many lines it has', async () => {
    const lines = await Array.fromAsync(readSpreadsheet(bytes('x\n'.repeat(5)), { lines: 3 }))
    expect(lines).toEqual([1, 2, 3].map((line) => ({ line, cells: ['x'] })))
  })

  it.each([
    ['an archive cut off', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)])],
    ['an archive without a sheet', Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])],
    [
      'an old workbook of nothing',
      Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(600)]),
    ],
  ])('that is %s is said to be unreadable', async (_what, file) => {
    await expect(read(file)).rejects.toThrow(UnreadableSpreadsheetError)
  })
})
