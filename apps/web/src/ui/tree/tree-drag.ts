import { type DragEvent, type HTMLAttributes, useCallback, useState } from 'react'
import { type TreePlace, placeAt, type Where } from './tree.ts'

type Row = { id: number; parentId: number | null }

export type Moving<R extends Row> = {
  /** Whether this row may have children. */
  holds: (row: R) => boolean
  move: (row: R, to: TreePlace) => void
}

type Over = { id: number; where: Where }

/**
 * In the upper part of a row: before it; in the lower: after it; in the middle, where it may have children: below it.
 */
const whereIn = ({ clientY, currentTarget }: DragEvent<HTMLElement>, holds: boolean): Where => {
  const { top, height } = currentTarget.getBoundingClientRect()
  const part = (clientY - top) / height
  if (holds && part > 0.3 && part < 0.7) return 'inside'
  return part < 0.5 ? 'before' : 'after'
}

/** Rows of a tree that are dragged by their handle and dropped elsewhere. */
export const useTreeDrag = <R extends Row>(rows: readonly R[], moving: Moving<R> | undefined) => {
  const [taken, setTaken] = useState<number>()
  const [over, setOver] = useState<Over>()
  const end = useCallback(() => {
    setTaken(undefined)
    setOver(undefined)
  }, [])
  const handle = useCallback(
    (row: R): HTMLAttributes<HTMLElement> & { draggable: true } => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move'
        // Without data some browsers start no drag.
        event.dataTransfer.setData('text/plain', String(row.id))
        setTaken(row.id)
      },
      onDragEnd: end,
    }),
    [end],
  )
  const target = (row: R): HTMLAttributes<HTMLElement> => {
    if (!moving || taken === undefined) return {}
    return {
      className: over?.id === row.id ? `drop-${over.where}` : '',
      onDragOver: (event) => {
        const where = whereIn(event, moving.holds(row))
        if (!placeAt(rows, taken, { on: row.id, where })) return setOver(undefined)
        event.preventDefault()
        if (over?.id !== row.id || over.where !== where) setOver({ id: row.id, where })
      },
      onDrop: (event) => {
        event.preventDefault()
        const place = placeAt(rows, taken, { on: row.id, where: whereIn(event, moving.holds(row)) })
        const item = rows.find(({ id }) => id === taken)
        end()
        if (place && item) moving.move(item, place)
      },
    }
  }
  return { handle, target }
}
