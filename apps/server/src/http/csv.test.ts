import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createCsvFile, formatCsvRows } from './csv.ts'

const columns = [{ title: '值', cell: ({ value }: { value: string | number | boolean | Date | null }) => value }]
const line = (value: string | number | boolean | Date | null) => formatCsvRows(columns, [{ value }])

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠A'])(
    'that a spreadsheet would calculate is made text: %j',
    (value) => expect(line(value)).toBe(`"'${value}"\r\n`),
  )

  it('keeps quotes, commas and line breaks', () => {
    expect(line('a "b", c\nd')).toBe('"a ""b"", c\nd"\r\n')
  })

  it('formats numbers, booleans, times and null', () => {
    expect([-5, true, false, null].map(line)).toEqual(['-5\r\n', '是\r\n', '否\r\n', '\r\n'])
    expect(line(new Date('2026-03-01T16:30:05Z'))).toBe('2026-03-02 00:30:05\r\n')
  })
})

describe('a file', () => {
  it('begins with a byte order mark and the titles, even without rows', async () => {
    async function* nothing() {}
    const file = await createCsvFile('空', columns, nothing())
    expect(file).toMatchObject({ name: '空.csv', type: 'text/csv; charset=utf-8' })
    expect(await text(file.stream)).toBe('\uFEFF"值"\r\n')
  })

  it('fails before the first byte when the first batch fails', async () => {
    const next = () => Promise.reject(new Error('refused'))
    const failing = { [Symbol.asyncIterator]: () => ({ next }) }
    await expect(createCsvFile('x', columns, failing)).rejects.toThrow('refused')
  })

  it('reads no batch before it is requested', async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += 1
        yield [{ value: 'x'.repeat(50_000) }]
      }
    }
    const file = await createCsvFile('x', columns, endless())
    const reader = file.stream[Symbol.asyncIterator]()
    await reader.next()
    expect(read).toBeLessThan(20)
    file.stream.destroy()
  })
})
