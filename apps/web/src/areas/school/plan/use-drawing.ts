import { floorPlans, type FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { places } from '@tocsin/contract/school/place'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import { isStale } from '#ui/edit-conflict/remote-row.ts'
import { notify } from '#ui/notify.ts'
import type { PlanDrag, PlanGrip } from '#ui/plan/PlanDrawing.tsx'
import { type Corner, pinOf, sizeOf } from '#ui/plan/plan-shapes.ts'
import {
  addStep,
  applyDrawn,
  countDrawn,
  crossingOf,
  type Drawn,
  emptyHistory,
  moveBy,
  moveCorner,
  nothing,
  rectangleOf,
  redo,
  undo,
} from './plan-draft.ts'
import { toPlanDraw } from './plan-edition.ts'
import { snap, snapTargetOf } from './plan-snap.ts'

export type Tool = 'select' | 'polygon' | 'rectangle' | 'route' | 'device'
export type Chosen = { room?: number; device?: number }

const arrows: Readonly<Record<string, Corner>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const tools: Readonly<Record<string, Tool>> = {
  v: 'select',
  p: 'polygon',
  r: 'rectangle',
  l: 'route',
  d: 'device',
}

/** The unsaved drawing with undo, and saving it. */
const useSteps = (view: FloorView) => {
  const { t } = useTranslation()
  const [history, setHistory] = useState(emptyHistory)
  /** The floor as it was when the first unsaved step was drawn. */
  const [begun, setBegun] = useState<FloorView>()
  const draw = useApiMutation(floorPlans.draw, { also: [places.list] })
  const { now, past, future } = history
  const shown = applyDrawn(view, now)
  const add = (next: Drawn) => {
    if (!begun || countDrawn(now) === 0) setBegun(view)
    setHistory(addStep(history, next))
  }
  const save = async () => {
    try {
      await draw.mutateAsync({ body: toPlanDraw(begun ?? view, view, now) })
      setHistory(emptyHistory)
      notify.success(t('list.saved'))
    } catch (error) {
      // The call has shown the error and read the floor again. The next saving refers to what is shown then.
      if (isStale(error) && (await confirm({ title: t('plan.conflict'), text: t('plan.conflictEffect') })))
        setBegun(undefined)
    }
  }
  const setOutline = (room: number, outline: Corner[] | null) =>
    add({ ...now, outlines: { ...now.outlines, [room]: outline } })
  const setRoute = (room: number, route: Corner[] | null) => add({ ...now, routes: { ...now.routes, [room]: route } })
  const setPin = (device: number, at: Corner | null) => add({ ...now, pins: { ...now.pins, [device]: at } })
  const nudge = (chosen: Chosen, [x, y]: Corner) => {
    const { width, height } = sizeOf(view)
    const room = shown.rooms.find(({ id }) => id === chosen.room)
    const device = shown.devices.find(({ id }) => id === chosen.device)
    const at = device && pinOf(device, shown)
    if (device && at) setPin(device.id, moveBy(at, x / width, y / height))
    else if (room?.polygon) {
      const moved = room.polygon.map((item) => moveBy(item, x / width, y / height))
      setOutline(room.id, moved)
    }
  }
  return {
    shown,
    isSaving: draw.isPending,
    setOutline,
    setRoute,
    setPin,
    nudge,
    /** One step, so that it is undone as one. */
    add: ({ outlines, routes, pins }: Drawn) =>
      add({
        outlines: { ...now.outlines, ...outlines },
        routes: { ...now.routes, ...routes },
        pins: { ...now.pins, ...pins },
      }),
    undoStep: () => setHistory(undo(history)),
    redoLast: () => setHistory(redo(history)),
    hasPast: past.length > 0,
    canRedo: future.length > 0,
    unsaved: countDrawn(now),
    save,
  }
}

type Steps = ReturnType<typeof useSteps>
type Moved = { pin?: { device: number; at: Corner }; outline?: Corner[] }

/** Moves a device, or a corner of the chosen outline; it becomes one step when it is dropped. */
const useMoving = (steps: Steps, { room, device }: Chosen, choose: (chosen: Chosen) => void) => {
  const { t } = useTranslation()
  const [moved, setMoved] = useState<Moved>({})
  /** The pointer may be released before its last movement is drawn. */
  const latest = useRef<Moved>({})
  const stored = steps.shown.rooms.find(({ id }) => id === room)?.polygon ?? []
  const outline = moved.outline ?? stored
  const crossing = moved.outline && crossingOf(moved.outline)
  const show = (next: Moved) => {
    latest.current = next
    setMoved(next)
  }
  const move = (grip: PlanGrip, at: Corner, isFree: boolean) => {
    if ('device' in grip) return show({ pin: { device: grip.device, at } })
    const others = stored.filter((_, index) => index !== grip.corner)
    const end = isFree ? at : snap(at, snapTargetOf(steps.shown, room, others))
    return show({ outline: moveCorner(stored, grip.corner, end) })
  }
  const drop = (isKept: boolean) => {
    const { pin, outline: next } = latest.current
    const dropped = next && crossingOf(next)
    show({})
    if (!isKept) return
    if (pin) {
      if (pin.device !== device) choose({ device: pin.device })
      steps.setPin(pin.device, pin.at)
    } else if (dropped) notify.error(t('plan.crosses', dropped))
    else if (next && room !== undefined) steps.setOutline(room, next)
  }
  const drawn: Drawn = {
    ...nothing,
    outlines: moved.outline && room !== undefined ? { [room]: moved.outline } : {},
    pins: moved.pin ? { [moved.pin.device]: moved.pin.at } : {},
  }
  const drag: PlanDrag = { outline, onMove: move, onDrop: drop }
  return { drag, crossing, shown: applyDrawn(steps.shown, drawn) }
}

/** The state of the drawing: tool, selection, pending corners, steps. */
export const useDrawing = (view: FloorView) => {
  const { t } = useTranslation()
  const [tool, setTool] = useState<Tool>('select')
  const [chosen, setChosen] = useState<Chosen>({})
  const [corners, setCorners] = useState<Corner[]>([])
  const steps = useSteps(view)
  const pickTool = (next: Tool) => {
    setTool(next)
    setCorners([])
  }
  const close = (outline = corners) => {
    if (tool === 'route') {
      if (chosen.room !== undefined && outline.length > 1) steps.setRoute(chosen.room, outline)
      setCorners([])
      return
    }
    const crossing = crossingOf(outline)
    if (crossing) {
      notify.error(t('plan.crosses', crossing))
      return
    }
    if (chosen.room !== undefined && outline.length > 2) steps.setOutline(chosen.room, outline)
    setCorners([])
  }
  const moving = useMoving(steps, chosen, setChosen)
  const point = (at: Corner, isFree: boolean) => {
    const [first] = corners
    if (tool === 'select') return
    if (tool === 'device') {
      if (chosen.device === undefined) notify.error(t('plan.chooseDevice'))
      else steps.setPin(chosen.device, at)
    } else if (chosen.room === undefined) notify.error(t('plan.chooseRoom'))
    else {
      const end = isFree ? at : snap(at, snapTargetOf(steps.shown, chosen.room, corners))
      if (tool === 'rectangle' && first) close(rectangleOf(first, end))
      else setCorners([...corners, end])
    }
  }
  const undoLast = () => (corners.length > 0 ? setCorners(corners.slice(0, -1)) : steps.undoStep())
  const canUndo = corners.length > 0 || steps.hasPast
  /** Whether the pending corners make a shape. */
  const canClose = corners.length > (tool === 'route' ? 1 : 2)
  return {
    ...steps,
    ...moving,
    canClose,
    tool,
    pickTool,
    chosen,
    setChosen,
    corners,
    setCorners,
    close,
    point,
    undoLast,
    canUndo,
  }
}
export type PlanEditState = ReturnType<typeof useDrawing>

/** The action of a key in the drawing; undefined for other keys. */
const actionOf = (drawing: PlanEditState, event: KeyboardEvent): (() => void) | undefined => {
  const key = event.key.toLowerCase()
  const arrow = arrows[event.key]
  const tool = tools[key]
  if (event.ctrlKey || event.metaKey) {
    if (key === 'z') return drawing.undoLast
    return key === 'y' ? drawing.redoLast : undefined
  }
  if (event.altKey) return undefined
  if (arrow) return () => drawing.nudge(drawing.chosen, event.shiftKey ? [arrow[0] * 10, arrow[1] * 10] : arrow)
  if (event.key === 'Enter' && drawing.canClose) return () => drawing.close()
  if (event.key === 'Escape' && drawing.corners.length > 0) return () => drawing.setCorners([])
  return tool && (() => drawing.pickTool(tool))
}

export const handleKey = (drawing: PlanEditState, event: KeyboardEvent): void => {
  const act = actionOf(drawing, event)
  if (!act) return
  event.preventDefault()
  act()
}
