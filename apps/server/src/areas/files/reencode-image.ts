import type sharp from 'sharp'

/** A picture of more pixels than this is never decoded, however few bytes it has. */
const MAX_PIXELS = 40_000_000
export const MAX_PIXELS_TEXT = '40 MP'
const MAX_EDGE = 4096
const AVATAR_EDGE = 256

/** Read with the first picture: no start waits for it. Alarms come first: one picture at a time, on one core. */
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
  return format === 'png' || format === 'jpeg' || format === 'webp' ? format : undefined
}

/**
 * Makes the picture anew from its pixels: what else the file held (places, comments, further pictures, programs) is
 * gone. The result lies beside the file.
 * @returns why it cannot be made.
 */
export const reencodeImage = (path: string, as: 'picture' | 'avatar'): Promise<ReencodedImage | ImageFault> =>
  inTurn(async () => {
    const decoder = await pictures()
    try {
      const { width, height, format: found } = await decoder(path, { limitInputPixels: false }).metadata()
      const format = as === 'avatar' ? 'webp' : formatOf(found)
      if (!format || !formatOf(found)) return 'format'
      if (width * height > MAX_PIXELS) return 'tooBig'
      const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const
      const picture = decoder(path, options).autoOrient()
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
      // The decoder's own words are about its insides: the picture is broken, and that is all there is to say.
      return 'format'
    }
  })
