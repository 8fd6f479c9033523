import { type PointerEvent, useRef, useState } from 'react'

/** A pointer may move this far without a drag. */
const SLACK_PX = 6

/** The position among the others for a drop at `x`. */
export const placeAt = (middles: readonly number[], x: number): number => middles.filter((middle) => middle < x).length

type Dragging = { path: string; tag: HTMLElement; startX: number; moved: boolean }

/**
 * Ordering by drag with mouse or pen; a finger scrolls the bar instead. `onDrop` receives the position among the other
 * tags. A drag ends in a click on the element below, which `swallow` prevents.
 */
export const useDrag = (onDrop: (path: string, to: number) => void) => {
  const current = useRef<Dragging>(undefined)
  const dropped = useRef(false)
  const [dragged, setDragged] = useState<{ path: string; by: number }>()
  const end = () => {
    current.current = undefined
    setDragged(undefined)
  }
  const grip = (path: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      dropped.current = false
      if (event.button === 0 && event.pointerType !== 'touch')
        current.current = { path, tag: event.currentTarget, startX: event.clientX, moved: false }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const drag = current.current
      if (!drag) return
      // Released outside of the tags.
      if (event.buttons === 0) return end()
      const by = event.clientX - drag.startX
      if (!drag.moved && Math.abs(by) < SLACK_PX) return
      drag.moved = true
      drag.tag.setPointerCapture(event.pointerId)
      setDragged({ path: drag.path, by })
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const drag = current.current
      end()
      if (!drag?.moved) return
      dropped.current = true
      const others = [...(drag.tag.parentElement?.children ?? [])].filter((item) => item !== drag.tag)
      const middles = others.map((other) => other.getBoundingClientRect()).map(({ left, width }) => left + width / 2)
      onDrop(drag.path, placeAt(middles, event.clientX))
    },
    onPointerCancel: end,
  })
  const swallow = (): boolean => {
    const was = dropped.current
    dropped.current = false
    return was
  }
  return { dragged, grip, swallow }
}
