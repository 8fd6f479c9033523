export type RawPixels = { data: Buffer; width: number; height: number; channels: 3 }

const HEADER_BYTES = 54
const UNCOMPRESSED = 0
const BIT_FIELDS = 3
/** The usual masks of red, green and blue of 32 bits. */
const USUAL_MASKS = [0xff0000, 0xff00, 0xff]

/** Width and height of a BMP picture; undefined for anything else. */
export const readBmpSize = (head: Buffer): { width: number; height: number } | undefined => {
  if (head.length < HEADER_BYTES || head.toString('latin1', 0, 2) !== 'BM' || head.readUInt32LE(14) < 40)
    return undefined
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) }
}

/** Bits of a pixel that are read: a palette of 256 colours, or red, green and blue of a byte each. */
const readDepth = (bytes: Buffer): 8 | 24 | 32 | undefined => {
  const [depth, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)]
  const hasUsualMasks =
    compression === BIT_FIELDS &&
    depth === 32 &&
    bytes.length >= HEADER_BYTES + 12 &&
    USUAL_MASKS.every((mask, index) => bytes.readUInt32LE(HEADER_BYTES + 4 * index) === mask)
  if (compression !== UNCOMPRESSED && !hasUsualMasks) return undefined
  return depth === 8 || depth === 24 || depth === 32 ? depth : undefined
}

/**
 * The pixels of a BMP picture as Windows programs save it, which the image library does not read. Transparency is dropped.
 * @returns undefined for a truncated picture, and for the compressed and two-coloured kinds
 */
export const decodeBmp = (bytes: Buffer): RawPixels | undefined => {
  const size = readBmpSize(bytes)
  const depth = size && readDepth(bytes)
  if (!size || !depth || size.width < 1 || size.height < 1) return undefined
  const { width, height } = size
  const isTopDown = bytes.readInt32LE(22) < 0
  const start = bytes.readUInt32LE(10)
  // Rows are padded to four bytes.
  const stride = Math.ceil((width * depth) / 32) * 4
  if (start < HEADER_BYTES || start + stride * height > bytes.length) return undefined
  const palette = 14 + bytes.readUInt32LE(14)
  const step = depth / 8
  const data = Buffer.allocUnsafe(width * height * 3)
  let to = 0
  for (let row = 0; row < height; row += 1) {
    const from = start + stride * (isTopDown ? row : height - 1 - row)
    for (let column = 0; column < width; column += 1) {
      const at = from + column * step
      // Blue, green, red: of the pixel itself, or of its colour in the palette.
      const colour = depth === 8 ? palette + 4 * (bytes[at] ?? 0) : at
      if (depth === 8 && colour + 4 > start) return undefined
      data[to] = bytes[colour + 2] ?? 0
      data[to + 1] = bytes[colour + 1] ?? 0
      data[to + 2] = bytes[colour] ?? 0
      to += 3
    }
  }
  return { data, width, height, channels: 3 }
}
