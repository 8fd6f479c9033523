/** Of the downloaded picture: sharp at 25 mm by 300 dpi. */
const SIDE = 600
const TEXT_HEIGHT = 80

/** A label as one picture: the square, and the serial number below it. */
export const drawLabel = async (square: SVGElement, sn: string): Promise<Blob> => {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(square))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE + TEXT_HEIGHT
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no pictures')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, SIDE, SIDE)
  context.fillStyle = '#000000'
  context.font = '600 40px monospace'
  context.textAlign = 'center'
  context.fillText(sn, SIDE / 2, SIDE + TEXT_HEIGHT / 2, SIDE)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png'),
  )
}
