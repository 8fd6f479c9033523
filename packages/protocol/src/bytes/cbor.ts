/**
 * Decodes CBOR (RFC 8949) as far as JSON can express it: no byte strings, no tags but CBOR's own mark, no undefined.
 */

const MARK = [0xd9, 0xd9, 0xf7]
/** Deeper than any message may be; the channel's own limit is checked on the decoded value. */
const DEEPEST = 32
/** Three times what a hundred complete alarms of a gateway need. An item may be one byte and cost as much as ten. */
const MOST_ITEMS = 32_768
const BREAK = 0xff
/** The length of an item of indefinite length. */
const OPEN = 31

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const isMarked = (bytes: Uint8Array): boolean => MARK.every((byte, at) => bytes[at] === byte)

/** An array, a map, or CBOR's mark. No UTF-8 text begins with such bytes, so the first byte tells the format. */
export const looksLikeCbor = (bytes: Uint8Array): boolean => ((bytes[0] ?? 0) & 0xc0) === 0x80 || isMarked(bytes)

const wrong = (): never => {
  throw new RangeError('not CBOR')
}

const makeReader = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = isMarked(bytes) ? MARK.length : 0
  let items = 0
  const skip = (length: number): number => {
    at += length
    return at - length
  }
  return {
    skip,
    /** The head of an item. A read beyond the end throws. */
    head: () => {
      items += 1
      return items > MOST_ITEMS ? wrong() : view.getUint8(skip(1))
    },
    half: () => view.getFloat16(skip(2)),
    single: () => view.getFloat32(skip(4)),
    double: () => view.getFloat64(skip(8)),
    /** A length or number that begins with these five bits. */
    count: (info: number): number => {
      if (info < 24) return info
      if (info === 24) return view.getUint8(skip(1))
      if (info === 25) return view.getUint16(skip(2))
      if (info === 26) return view.getUint32(skip(4))
      return info === 27 ? Number(view.getBigUint64(skip(8))) : wrong()
    },
    text: (length: number): string => {
      const from = skip(length)
      return at > bytes.length ? wrong() : utf8.decode(bytes.subarray(from, at))
    },
    /** Consumes the break that ends an item of indefinite length, if it is next. */
    ends: (): boolean => view.getUint8(at) === BREAK && skip(1) >= 0,
    done: (): boolean => at === bytes.length,
  }
}
type Reader = ReturnType<typeof makeReader>

/** Calls back for each item, or until the break. */
const each = (reader: Reader, info: number, read: () => void): void => {
  if (info === OPEN) while (!reader.ends()) read()
  else for (let left = reader.count(info); left > 0; left -= 1) read()
}

const readText = (reader: Reader, info: number): string => {
  if (info !== OPEN) return reader.text(reader.count(info))
  let whole = ''
  each(reader, OPEN, () => {
    const head = reader.head()
    whole += head >> 5 === 3 && (head & 31) !== OPEN ? readText(reader, head & 31) : wrong()
  })
  return whole
}

const readSimple = (reader: Reader, info: number): unknown => {
  if (info === 20 || info === 21) return info === 21
  if (info === 22) return null
  if (info === 25) return reader.half()
  if (info === 26) return reader.single()
  return info === 27 ? reader.double() : wrong()
}

const readItem = (reader: Reader, depthLeft: number): unknown => {
  if (depthLeft === 0) return wrong()
  const head = reader.head()
  const [major, info] = [head >> 5, head & 31]
  if (major === 0) return reader.count(info)
  if (major === 1) return -1 - reader.count(info)
  if (major === 3) return readText(reader, info)
  if (major === 7) return readSimple(reader, info)
  if (major === 4) {
    const items: unknown[] = []
    each(reader, info, () => items.push(readItem(reader, depthLeft - 1)))
    return items
  }
  if (major !== 5) return wrong()
  const entries: [string, unknown][] = []
  each(reader, info, () => {
    const key = readItem(reader, depthLeft - 1)
    entries.push([typeof key === 'string' ? key : wrong(), readItem(reader, depthLeft - 1)])
  })
  // Own properties whatever their names, like JSON.parse.
  return Object.fromEntries(entries)
}

/** Decodes the single item in these bytes. Throws if they are not one. */
export const readCbor = (bytes: Uint8Array): unknown => {
  const reader = makeReader(bytes)
  const item = readItem(reader, DEEPEST)
  return reader.done() ? item : wrong()
}
