import type { FloorView, PlanDevice, PlanRoom } from '@tocsin/contract/school/plan/floor-plan'
import { type MouseEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { PlanLegend } from './PlanLegend.tsx'
import { centreOf, type Corner, pinOf, pointsOf, sizeOf } from './plan-shapes.ts'
import './plan.css'

type Size = { width: number; height: number }

/** The name of the lit room is read on a phone, where a plan is 330 pixels wide. */
const LIT_NAMES_ACROSS = 28
const NAMES_ACROSS = 55

const Room = ({ room, size, lit }: { room: PlanRoom; size: Size; lit: boolean }) => {
  if (!room.polygon) return null
  const [x, y] = centreOf(room.polygon)
  return (
    <g data-room={room.id} data-lit={lit} data-kind={room.kind}>
      <polygon points={pointsOf(room.polygon, size)} />
      <text x={x * size.width} y={y * size.height} fontSize={size.width / (lit ? LIT_NAMES_ACROSS : NAMES_ACROSS)}>
        {room.name}
      </text>
    </g>
  )
}

const Pin = ({ device, view, chosen }: { device: PlanDevice; view: FloorView; chosen: boolean }) => {
  const lang = useLang()
  const at = pinOf(device, view)
  if (!at) return null
  const { width, height } = sizeOf(view)
  return (
    <g data-device={device.id} data-state={device.connectivity} data-chosen={chosen} data-camera={device.isCamera}>
      <circle cx={at[0] * width} cy={at[1] * height} r={width / 110} />
      <title>{`${device.sn} · ${enumLabel('connectivity', device.connectivity, lang)}`}</title>
    </g>
  )
}

/** What the pointer holds: a device, or a corner of the outline that is chosen. */
export type PlanGrip = { device: number } | { corner: number }

/** How things are moved on a drawing. */
export type PlanDrag = {
  /** The outline whose corners can be moved. */
  outline: readonly Corner[]
  onMove: (grip: PlanGrip, at: Corner, isFree: boolean) => void
  /** `isKept` is false when the pointer was taken away. */
  onDrop: (isKept: boolean) => void
}

const gripOf = (target: EventTarget): PlanGrip | undefined => {
  const held = target instanceof Element ? target.closest('[data-corner], [data-device]') : null
  const corner = held?.getAttribute('data-corner')
  const device = held?.getAttribute('data-device')
  if (corner) return { corner: Number(corner) }
  return device ? { device: Number(device) } : undefined
}

const positionIn = ({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>): Corner => {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  const share = (pixels: number, all: number) => Math.min(1, Math.max(0, pixels / all))
  return [share(clientX - left, width), share(clientY - top, height)]
}

const Handles = ({ outline, size }: { outline: readonly Corner[]; size: Size }) =>
  outline.map(([x, y], index) => (
    <circle
      key={`${index}`}
      className="plan-handle"
      data-corner={index}
      cx={x * size.width}
      cy={y * size.height}
      r={size.width / 130}
    />
  ))

/** Follows the pointer from a device or corner until it is released. */
const useDrag = (drag: PlanDrag | undefined) => {
  const held = useRef<PlanGrip>(undefined)
  if (!drag) return {}
  const drop = (isKept: boolean) => {
    if (held.current) drag.onDrop(isKept)
    held.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      held.current = event.button === 0 ? gripOf(event.target) : undefined
      if (held.current) event.currentTarget.setPointerCapture(event.pointerId)
    },
    // Selected text under the pointer would be dragged by the browser instead.
    onMouseDown: (event: MouseEvent<SVGSVGElement>) => {
      if (held.current) event.preventDefault()
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (held.current) drag.onMove(held.current, positionIn(event), event.altKey)
    },
    onPointerUp: () => drop(true),
    onPointerCancel: () => drop(false),
  }
}

type Props = {
  view: FloorView
  label: string
  litId?: number | undefined
  chosenDevice?: number | undefined
  /** Further shapes in the coordinates of the drawing. */
  children?: ReactNode
  /** Where the drawing was clicked, from 0 to 1; `isFree` asks for no snapping. */
  onPoint?: (at: Corner, isFree: boolean) => void
  drag?: PlanDrag | undefined
}

/** Rooms and devices of a floor over its picture. */
export const PlanDrawing = ({ view, label, litId, chosenDevice, children, onPoint, drag }: Props) => {
  const size = sizeOf(view)
  const pointer = useDrag(drag)
  const lit = view.rooms.find(({ id }) => id === litId)
  const point = (event: MouseEvent<SVGSVGElement>) => onPoint?.(positionIn(event), event.altKey)
  return (
    <svg
      className="plan-drawing"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={label}
      data-movable={drag !== undefined}
      {...(onPoint && { onClick: point })}
      {...pointer}
    >
      {view.plan && <image href={view.plan.url} width={size.width} height={size.height} />}
      {view.rooms.map((room) => (
        <Room key={room.id} room={room} size={size} lit={room.id === litId} />
      ))}
      {lit?.planRoute && <polyline className="plan-route" points={pointsOf(lit.planRoute, size)} />}
      {view.devices.map((device) => (
        <Pin key={device.id} device={device} view={view} chosen={device.id === chosenDevice} />
      ))}
      {drag && <Handles outline={drag.outline} size={size} />}
      {view.plan && <PlanLegend plan={view.plan} />}
      {children}
    </svg>
  )
}
