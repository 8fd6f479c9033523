import { open, readFile } from 'node:fs/promises'
import type sharp from 'sharp'
import { decodeBmp, readBmpSize } from './picture/decode-bmp.ts'
import { decodeHeic, isHeic } from './picture/decode-heic.ts'

/** A picture with more pixels is never decoded, however few bytes it has. */
const MAX_PIXELS = 40_000_000
export const MAX_PIXELS_TEXT = '40 MP'
const MAX_EDGE = 4096
const AVATAR_EDGE = 256

/**
 * Loaded with the first picture, so that it does not slow the start down. One picture at a time on one core, because
 * alarms have priority.
 */
const readDecoder = async (): Promise<typeof sharp> => {
  const { default: decoder } = await import('sharp')
  decoder.concurrency(1)
  decoder.cache(false)
  return decoder
}
let reading: ReturnType<typeof readDecoder> | undefined
export const pictures = () =>
  (reading ??= readDecoder().catch((error: unknown) => {
    reading = undefined
    throw error
  }))

let last: Promise<unknown> = Promise.resolve()
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const turn = last.then(work, work)
  last = turn
  return turn
}

export type ImageFault = 'tooBig' | 'format'
export type ReencodedImage = { path: string; size: number; type: 'image/png' | 'image/jpeg' | 'image/webp' }

const formats = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const
type Format = keyof typeof formats

const formatOf = (format: string | undefined): Format | undefined => {
  if (format === 'gif') return 'png'
  // The decoder names AVIF by its container.
  if (format === 'heif') return 'webp'
  return format === 'png' || format === 'jpeg' || format === 'webp' ? format : undefined
}

const readHead = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64))
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const

type OpenedImage = { picture: ReturnType<typeof sharp>; format: Format }

/** The picture before any change, and its format when it is stored. The library reads neither BMP nor HEIC. */
const openImage = async (decoder: typeof sharp, path: string): Promise<OpenedImage | ImageFault> => {
  const head = await readHead(path)
  if (isHeic(head)) {
    const pixels = await decodeHeic({ path, maxPixels: MAX_PIXELS })
    if (typeof pixels === 'string') return pixels
    const { data, ...raw } = pixels
    return { picture: decoder(data, { raw, limitInputPixels: MAX_PIXELS }), format: 'jpeg' }
  }
  const bmp = readBmpSize(head)
  if (bmp) {
    if (bmp.width * bmp.height > MAX_PIXELS) return 'tooBig'
    const pixels = decodeBmp(await readFile(path))
    if (!pixels) return 'format'
    const { data, ...raw } = pixels
    return { picture: decoder(data, { raw, limitInputPixels: MAX_PIXELS }), format: 'png' }
  }
  const { width, height, format: found } = await decoder(path, { limitInputPixels: false }).metadata()
  const format = formatOf(found)
  if (!format) return 'format'
  if (width * height > MAX_PIXELS) return 'tooBig'
  return { picture: decoder(path, options).autoOrient(), format }
}

/**
 * Re-encodes the picture from its pixels: all other content of the file (places, comments, further pictures, programs)
 * is dropped. The result is stored beside the file.
 * @returns the reason for a failure
 */
export const reencodeImage = (path: string, as: 'picture' | 'avatar'): Promise<ReencodedImage | ImageFault> =>
  inTurn(async () => {
    const decoder = await pictures()
    try {
      const opened = await openImage(decoder, path)
      if (typeof opened === 'string') return opened
      const { picture } = opened
      const format = as === 'avatar' ? 'webp' : opened.format
      const sized =
        as === 'avatar'
          ? picture.resize(AVATAR_EDGE, AVATAR_EDGE, { fit: 'cover' })
          : picture.resize(MAX_EDGE, MAX_EDGE, { fit: 'inside', withoutEnlargement: true })
      const made = `${path}.made`
      const { size } = await sized
        .toFormat(format, format === 'png' ? {} : { quality: 88 })
        .timeout({ seconds: 20 })
        .toFile(made)
      return { path: made, size, type: formats[format] }
    } catch {
      // Errors of the decoder describe its internals; users learn only that the picture is broken.
      return 'format'
    }
  })
