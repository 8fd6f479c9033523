import type { Area } from 'react-easy-crop'

/** Edge of the uploaded picture; the server stores less. */
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

/** The orientation of the picture: mirrored first, then rotated. */
export type ImageTransform = { degrees: number; mirrored: boolean }

/**
 * Draws the selected square over the whole canvas.
 * @param area in pixels of the oriented picture, from the corner of its bounding box.
 */
export const drawCrop = async (
  canvas: HTMLCanvasElement,
  url: string,
  area: Area,
  lie: ImageTransform,
): Promise<void> => {
  const image = await load(url)
  const turn = (lie.degrees * Math.PI) / 180
  const { naturalWidth: width, naturalHeight: height } = image
  const boxWidth = Math.abs(Math.cos(turn)) * width + Math.abs(Math.sin(turn)) * height
  const boxHeight = Math.abs(Math.sin(turn)) * width + Math.abs(Math.cos(turn)) * height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no pictures')
  const scale = canvas.width / area.width
  context.resetTransform()
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.scale(scale, scale)
  context.translate(boxWidth / 2 - area.x, boxHeight / 2 - area.y)
  context.rotate(turn)
  context.scale(lie.mirrored ? -1 : 1, 1)
  context.drawImage(image, -width / 2, -height / 2)
}

/** The selected square as a file. */
export const cropToFile = async (url: string, area: Area, lie: ImageTransform): Promise<File> => {
  const canvas = document.createElement('canvas')
  canvas.width = EDGE
  canvas.height = EDGE
  await drawCrop(canvas, url, area, lie)
  return new File([await blobOf(canvas)], 'avatar.png', { type: 'image/png' })
}
