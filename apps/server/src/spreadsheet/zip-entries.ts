import { inflateRawSync, createInflateRaw } from 'node:zlib'
import { pipeline, Readable } from 'node:stream'

const END = Buffer.from('PK\u0005\u0006')
const END_BYTES = 22
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const ELSEWHERE = 0xffffffff
/** Bytes of compressed data that an empty entry may have. */
const EMPTY_PACKED = 8
const STORED = 0
const DEFLATED = 8
const INFLATED_CHUNK_BYTES = 256 * 1024

export type ZipEntryInfo = { name: string; method: number; packed: number; size: number; at: number }

/** Whether the directory states the size of an entry, so that a reader can enforce it. */
const isBounded = (entry: { packed: number; size: number; later: boolean }): boolean => {
  const { packed, size, later } = entry
  if (size === ELSEWHERE) return false
  return packed === 0 ? size === 0 && !later : size > 0 || packed <= EMPTY_PACKED
}

/**
 * The entries of a zip archive by its directory (APPNOTE 4.3.12, 4.3.16); undefined when it does not state all sizes. A
 * kilobyte can unpack to a megabyte, so sizes are checked before unpacking.
 */
export const listZipEntries = (bytes: Uint8Array): ZipEntryInfo[] | undefined => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = zip.lastIndexOf(END, zip.length - END_BYTES)
  if (end < 0) return undefined
  const entries: ZipEntryInfo[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + ENTRY_BYTES > zip.length || zip.readUInt32LE(at) !== ENTRY) return undefined
    const [packed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const later = (zip.readUInt16LE(at + 8) & 8) !== 0
    if (!isBounded({ packed, size, later })) return undefined
    const nameBytes = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    entries.push({ name, method: zip.readUInt16LE(at + 10), packed, size, at: zip.readUInt32LE(at + 42) })
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** Unpacked bytes of all entries; undefined when the directory does not state them. */
export const uncompressedSize = (bytes: Uint8Array): number | undefined =>
  listZipEntries(bytes)?.reduce((sum, { size }) => sum + size, 0)

/** Throws RangeError for an entry outside of the archive. */
const packedBytes = (bytes: Uint8Array, { at, packed, method }: ZipEntryInfo): Buffer => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (method !== STORED && method !== DEFLATED) throw new RangeError(`the packing method ${method} is unknown`)
  const start = at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  if (start + packed > zip.length) throw new RangeError('an entry ends beyond the archive')
  return zip.subarray(start, start + packed)
}

/** A whole entry. Throws RangeError when it is larger than the directory states. */
export const readZipEntry = (bytes: Uint8Array, entry: ZipEntryInfo): Buffer => {
  const packed = packedBytes(bytes, entry)
  if (entry.method === STORED || entry.packed === 0) return packed
  return inflateRawSync(packed, { maxOutputLength: Math.max(entry.size, 1) })
}

/**
 * A large entry in chunks, unpacked while it is read. Throws RangeError when it is larger than the directory states.
 */
export async function* streamZipEntry(bytes: Uint8Array, entry: ZipEntryInfo): AsyncGenerator<Buffer> {
  const packed = packedBytes(bytes, entry)
  if (entry.method === STORED || entry.packed === 0) return yield packed
  const inflating = createInflateRaw({ chunkSize: INFLATED_CHUNK_BYTES })
  pipeline(Readable.from([packed]), inflating, () => undefined)
  let left = entry.size
  for await (const chunk of inflating) {
    left -= (chunk as Buffer).length
    if (left < 0) throw new RangeError('an entry unpacks to more than the archive states')
    yield chunk as Buffer
  }
}
