import type { Area } from 'react-easy-crop'

/** Edge of the picture that is sent; the server keeps less. */
const EDGE = 512

const load = (url: string): Promise<HTMLImageElement> =>
  new Promise((resolve, reject) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image))
    image.addEventListener('error', () => reject(new Error('the picture cannot be read')))
    image.src = url
  })

const blobOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be made'))), 'image/png'),
  )

/**
 * The square that was chosen.
 * @param area in pixels of the picture after its rotation, from the corner of the box that then holds it.
 */
export const cropped = async (url: string, area: Area, degrees: number): Promise<File> => {
  const image = await load(url)
  const turn = (degrees * Math.PI) / 180
  const { naturalWidth: width, naturalHeight: height } = image
  const boxWidth = Math.abs(Math.cos(turn)) * width + Math.abs(Math.sin(turn)) * height
  const boxHeight = Math.abs(Math.sin(turn)) * width + Math.abs(Math.cos(turn)) * height
  const canvas = document.createElement('canvas')
  canvas.width = EDGE
  canvas.height = EDGE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no pictures')
  const scale = EDGE / area.width
  context.imageSmoothingQuality = 'high'
  context.scale(scale, scale)
  context.translate(boxWidth / 2 - area.x, boxHeight / 2 - area.y)
  context.rotate(turn)
  context.drawImage(image, -width / 2, -height / 2)
  return new File([await blobOf(canvas)], 'avatar.png', { type: 'image/png' })
}
