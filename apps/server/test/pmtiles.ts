import { type TileType, zxyToTileId } from 'pmtiles'
import { gzipSync } from 'node:zlib'

const HEADER_BYTES = 127
const GZIP = 2

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(value >> 7)])

type PmtilesOptions = {
  tileType: TileType
  /** Zoom, column, row and content. */
  tiles: readonly (readonly [z: number, x: number, y: number, content: string | Uint8Array])[]
  metadata: object
}

/** A small PMTiles file of version 3 with one directory, and compressed tiles. */
export const makePmtiles = ({ tileType, tiles, metadata }: PmtilesOptions): Buffer => {
  const sorted = tiles
    .map(([z, x, y, content]) => ({ id: zxyToTileId(z, x, y), bytes: gzipSync(content) }))
    .toSorted((first, second) => first.id - second.id)
  const directory = gzipSync(
    Uint8Array.from(
      [
        [sorted.length],
        sorted.map(({ id }, index) => id - (sorted[index - 1]?.id ?? 0)),
        sorted.map(() => 1),
        sorted.map(({ bytes }) => bytes.length),
        // 0: right behind the tile before.
        sorted.map((_, index) => (index === 0 ? 1 : 0)),
      ].flatMap((column) => column.flatMap(varint)),
    ),
  )
  const text = gzipSync(JSON.stringify(metadata))
  const content = Buffer.concat(sorted.map(({ bytes }) => bytes))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles')
  header.writeUInt8(3, 7)
  const ends = [directory, text, Buffer.alloc(0), content].reduce(
    ({ at, place }, { length }) => {
      header.writeBigUInt64LE(BigInt(at), place)
      header.writeBigUInt64LE(BigInt(length), place + 8)
      return { at: at + length, place: place + 16 }
    },
    { at: HEADER_BYTES, place: 8 },
  )
  for (const index of [0, 1, 2]) header.writeBigUInt64LE(BigInt(tiles.length), ends.place + index * 8)
  const zooms = tiles.map(([zoom]) => zoom)
  header.set([1, GZIP, GZIP, tileType, Math.min(...zooms), Math.max(...zooms)], 96)
  return Buffer.concat([header, directory, text, content])
}
