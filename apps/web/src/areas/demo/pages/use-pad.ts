import SignaturePad, { type PointGroup } from 'signature_pad'
import { useEffect, useRef, useState } from 'react'

type Pen = { color: string; width: number }

const penOf = ({ color, width }: Pen) => ({ penColor: color, minWidth: width * 0.4, maxWidth: width })

/** In the resolution of the screen and the width of its container; the drawing is kept. */
const fit = (canvas: HTMLCanvasElement, pad: SignaturePad, drawn: PointGroup[]) => {
  const ratio = Math.max(window.devicePixelRatio, 1)
  canvas.width = canvas.offsetWidth * ratio
  canvas.height = canvas.offsetHeight * ratio
  canvas.getContext('2d')?.scale(ratio, ratio)
  pad.fromData(drawn)
}

/** A canvas for drawing with pen, mouse or finger; strokes survive a hidden page. */
export const usePad = (pen: Pen) => {
  const ref = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(undefined)
  const strokes = useRef<PointGroup[]>([])
  const [empty, setEmpty] = useState(true)
  const { color, width } = pen

  useEffect(() => {
    const canvas = ref.current
    if (!canvas) return
    const made = new SignaturePad(canvas, { backgroundColor: '#ffffff' })
    pad.current = made
    const drawn = () => {
      strokes.current = made.toData()
      setEmpty(made.isEmpty())
    }
    made.addEventListener('endStroke', drawn)
    const watcher = new ResizeObserver(() => fit(canvas, made, strokes.current))
    watcher.observe(canvas)
    return () => {
      watcher.disconnect()
      made.removeEventListener('endStroke', drawn)
      made.off()
    }
  }, [])
  useEffect(() => {
    if (pad.current) Object.assign(pad.current, penOf({ color, width }))
  }, [color, width])

  const show = (next: PointGroup[]) => {
    strokes.current = next
    pad.current?.clear()
    pad.current?.fromData(next)
    setEmpty(next.length === 0)
  }
  return {
    ref,
    empty,
    clear: () => show([]),
    undo: () => show(strokes.current.slice(0, -1)),
    /** A PNG on white; undefined without strokes. */
    picture: (): Promise<Blob | undefined> =>
      new Promise((resolve) => {
        if (strokes.current.length === 0 || !ref.current) return resolve(undefined)
        ref.current.toBlob((blob) => resolve(blob ?? undefined), 'image/png')
      }),
  }
}
