const END = Buffer.from('PK\u0005\u0006')
const END_BYTES = 22
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const ELSEWHERE = 0xffffffff
/** What an empty entry may take when it is packed all the same. */
const EMPTY_PACKED = 8

/** Whether the directory says how large an entry gets: only then does the reader hold the entry to it. */
const isBounded = (entry: { packed: number; size: number; later: boolean }): boolean => {
  const { packed, size, later } = entry
  if (size === ELSEWHERE) return false
  return packed === 0 ? size === 0 && !later : size > 0 || packed <= EMPTY_PACKED
}

/**
 * Bytes that the entries of a zip archive unpack to, as its directory says (APPNOTE 4.3.12, 4.3.16); undefined where it
 * does not say it of each. A kilobyte can unpack to a megabyte, so this is asked before anything is unpacked.
 */
export const uncompressedSize = (bytes: Uint8Array): number | undefined => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = zip.lastIndexOf(END, zip.length - END_BYTES)
  if (end < 0) return undefined
  let at = zip.readUInt32LE(end + 16)
  let sum = 0
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + ENTRY_BYTES > zip.length || zip.readUInt32LE(at) !== ENTRY) return undefined
    const [packed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const later = (zip.readUInt16LE(at + 8) & 8) !== 0
    if (!isBounded({ packed, size, later })) return undefined
    sum += size
    at += ENTRY_BYTES + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return sum
}
