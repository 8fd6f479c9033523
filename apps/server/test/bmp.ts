export type Colour = readonly [red: number, green: number, blue: number]

/** A BMP picture as Windows programs save it: rows of three colours each, from the bottom up or, with -1, from the top down. */
export const makeBmp = (depth: 8 | 24 | 32, rows: readonly (readonly Colour[])[], direction: 1 | -1 = 1): Buffer => {
  const colours = rows.flat()
  const palette = depth === 8 ? colours.flatMap(([red, green, blue]) => [blue, green, red, 0]) : []
  const width = rows[0]?.length ?? 0
  const stride = Math.ceil((width * depth) / 32) * 4
  const lines = rows.map((row) => {
    const line = Buffer.alloc(stride)
    row.forEach((colour, column) => {
      const [red, green, blue] = colour
      if (depth === 8) line[column] = colours.indexOf(colour)
      else line.set([blue, green, red], column * (depth / 8))
    })
    return line
  })
  const start = 54 + palette.length
  const head = Buffer.alloc(54)
  head.write('BM', 'latin1')
  head.writeUInt32LE(start + stride * rows.length, 2)
  head.writeUInt32LE(start, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(rows.length * direction, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(depth, 28)
  return Buffer.concat([head, Buffer.from(palette), ...(direction === 1 ? lines.toReversed() : lines)])
}
