import type { PlaceRow } from '@tocsin/contract/school/place'
import { placeEdits } from '@tocsin/contract/school/place-edits'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { notify } from '#ui/notify.ts'
import { arrowStep, currentPlace, moveRow, type TreePlace } from '#ui/tree/tree.ts'

type Moving = { id: number; to: TreePlace }

type Options = {
  chosen: PlaceRow | undefined
  onEdit: (place: PlaceRow) => void
  onBulk: (parent: PlaceRow) => void
}

const MOVE_KEYS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape'])

/** With `sort` as they stand, which the tree orders by. */
const inOrder = (rows: readonly PlaceRow[]): PlaceRow[] => rows.map((row, sort) => ({ ...row, sort }))

/** Moves of places, and the way back from the last one. */
const usePlaceMoves = (rows: readonly PlaceRow[]) => {
  const { t } = useTranslation()
  const { mutate } = useApiMutation(placeEdits.move)
  const [undo, setUndo] = useState<Moving>()
  const write = ({ id, version }: PlaceRow, to: TreePlace, onSuccess: () => void) =>
    mutate({ body: { id, version, ...to } }, { onSuccess })
  const move = (place: PlaceRow, to: TreePlace) => {
    const back = { id: place.id, to: currentPlace(rows, place) }
    write(place, to, () => setUndo(back))
  }
  const place = undo && rows.find(({ id }) => id === undo.id)
  const takeBack =
    place &&
    (() => {
      setUndo(undefined)
      write(place, undo.to, () => notify.success(t('school.placeMovedBack', { name: place.name })))
    })
  return { move, takeBack }
}

/**
 * Keys of the tree for the selected place: F2 edits, `b` creates several below it, `m` moves it by arrows until Enter or
 * Escape, Ctrl+Z takes the last move back. A move is written once, with Enter.
 */
export const usePlaceKeys = (rows: readonly PlaceRow[], { chosen, onEdit, onBulk }: Options) => {
  const mayUpdate = useHasPermission('school:place:update')
  const mayCreate = useHasPermission('school:place:create')
  const [moving, setMoving] = useState<Moving>()
  const { move, takeBack } = usePlaceMoves(rows)

  const shown = moving ? inOrder(moveRow(rows, moving.id, moving.to)) : rows
  const moved = moving && rows.find(({ id }) => id === moving.id)

  const continueMove = ({ id, to }: Moving, key: string) => {
    if (key === 'Escape' || key === 'Enter') {
      setMoving(undefined)
      if (key === 'Enter' && moved) move(moved, to)
      return
    }
    const row = shown.find((place) => place.id === id)
    const next = row && arrowStep(shown, row, key)
    if (next) setMoving({ id, to: next })
  }

  const keys: Record<string, (place: PlaceRow) => void> = {
    ...(mayUpdate && {
      F2: onEdit,
      m: (place: PlaceRow) => setMoving({ id: place.id, to: currentPlace(rows, place) }),
    }),
    ...(mayCreate && { b: onBulk }),
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const take = (run: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    const { key, ctrlKey, metaKey, altKey } = event
    if (moving && MOVE_KEYS.has(key)) return take(() => continueMove(moving, key))
    if ((ctrlKey || metaKey) && key === 'z' && takeBack) return take(takeBack)
    const run = ctrlKey || metaKey || altKey ? undefined : keys[key]
    if (run && chosen) take(() => run(chosen))
  }
  /** Whoever leaves the tree leaves the place where it was. */
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setMoving(undefined)
  }
  return { rows: shown, moving: moved, move, onKeyDown, onBlur }
}
