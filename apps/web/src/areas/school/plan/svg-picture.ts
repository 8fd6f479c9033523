/** Dots of the longer side: as sharp as a scan of A3 in 150 dpi. */
const LONG_SIDE = 2400

/**
 * Draws an SVG as a picture in the browser. Scripts, links and whatever else the file holds stay behind: only what is
 * seen is uploaded.
 */
export const toPicture = async (svg: File): Promise<File> => {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const share = LONG_SIDE / Math.max(image.naturalWidth, image.naturalHeight, 1)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(image.naturalWidth * share))
    canvas.height = Math.max(1, Math.round(image.naturalHeight * share))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    // A plan without a background would be unreadable on a dark page.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    if (!blob) throw new Error('no picture')
    return new File([blob], svg.name.replace(/\.svg$/i, '.png'), { type: 'image/png' })
  } finally {
    URL.revokeObjectURL(url)
  }
}
