import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** One file of an archive, whose content comes in chunks. */
export type ZipEntry = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> }

type Place = { name: Buffer; crc: number; packed: number; size: number; at: number }

const LOCAL = 0x04034b50
const SIZES = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50

const VERSION = 20
/** Flags: a data descriptor follows the content, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
/** The earliest day of the format: the same rows give the same bytes. */
const DAY = 0x21
const MOST = 0xffff_ffff
/** Cells are repetitive: a higher level saves little for its time. */
const LEVEL = 3

const signed = (signature: number, ...parts: Buffer[]): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(signature)
  return Buffer.concat([head, ...parts])
}

/** Numbers in sequence, each with its size in bytes. */
const numbers = (...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer => {
  const bytes = Buffer.alloc(fields.reduce((sum, [, length]) => sum + length, 0))
  let at = 0
  for (const [value, length] of fields) at = bytes.writeUIntLE(value, at, length)
  return bytes
}

/** Fields that the local header and the central directory share. */
const headOf = ({ name, crc, packed, size }: Place) =>
  numbers(
    [VERSION, 2],
    [FLAGS, 2],
    [DEFLATE, 2],
    [0, 2],
    [DAY, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name.length, 2],
    [0, 2],
  )

const listed = (place: Place) =>
  signed(
    CENTRAL,
    numbers([VERSION, 2]),
    headOf(place),
    numbers([0, 2], [0, 2], [0, 2], [0, 4], [place.at, 4]),
    place.name,
  )

async function* counted(content: ZipEntry['content'], place: Place) {
  for await (const piece of content) {
    place.crc = crc32(piece, place.crc)
    place.size += piece.length
    yield piece
  }
}

async function* deflated(content: ZipEntry['content'], place: Place): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: LEVEL })
  // An early end throws where the chunks are read.
  pipeline(counted(content, place), deflate).catch(() => undefined)
  for await (const piece of deflate) {
    place.packed += piece.length
    yield piece
  }
}

async function* whole(content: ZipEntry['content'], place: Place): AsyncGenerator<Buffer> {
  yield signed(LOCAL, headOf(place), place.name)
  yield* deflated(content, place)
  yield signed(SIZES, numbers([place.crc, 4], [place.packed, 4], [place.size, 4]))
}

/** Writes an archive of these files while they arrive. Throws when one is longer than 4 GB. */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const places: Place[] = []
  let at = 0
  for await (const { name, content } of entries) {
    const place: Place = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at }
    for await (const piece of whole(content, place)) {
      at += piece.length
      yield piece
    }
    if (Math.max(at, place.size) > MOST) throw new Error('a sheet of more than 4 GB')
    places.push(place)
  }
  const list = Buffer.concat(places.map(listed))
  yield list
  const n = places.length
  yield signed(END, numbers([0, 2], [0, 2], [n, 2], [n, 2], [list.length, 4], [at, 4], [0, 2]))
}
