import type { FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { expect, it } from 'vitest'
import { areaOf, listNearestCameras } from '#ui/plan/plan-shapes.ts'
import { copyFloor, renameRoom } from './copy-floor.ts'
import {
  addStep,
  applyDrawn,
  countDrawn,
  crossingOf,
  emptyHistory,
  moveBy,
  moveCorner,
  nothing,
  rectangleOf,
  redo,
  undo,
} from './plan-draft.ts'
import { drawnOf, toPlanDraw, viewEdition } from './plan-edition.ts'
import { snap, snapTargetOf } from './plan-snap.ts'

it('undoes and redoes steps, and drops undone steps when something new is drawn', () => {
  const result = addStep(emptyHistory, { ...nothing, outlines: { 1: rectangleOf([0, 0], [0.5, 0.5]) } })
  const two = addStep(result, { ...result.now, pins: { 7: [0.2, 0.3] } })
  expect(countDrawn(two.now)).toBe(2)
  expect(undo(two).now).toEqual(result.now)
  expect(redo(undo(two)).now).toEqual(two.now)
  expect(undo(emptyHistory)).toBe(emptyHistory)
  expect(addStep(undo(two), nothing).future).toEqual([])
})

it('names the corner where an outline crosses itself, and keeps moves on the plan', () => {
  expect(crossingOf(rectangleOf([0.1, 0.1], [0.4, 0.3]))).toBeUndefined()
  expect(
    crossingOf([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ]),
  ).toEqual({ corner: 1, from: 3, to: 4 })
  expect(moveBy([0.99, 0.5], 0.1, -0.1)).toEqual([1, 0.4])
})

it('snaps to the corners of other rooms and into line with them, and measures by the scale of the plan', () => {
  const room = {
    id: 1,
    version: 1,
    kind: 'ROOM',
    name: '101',
    sensitivity: 'NORMAL',
    polygon: null,
    planRoute: null,
  } as const
  const plan = { width: 1000, height: 500, metresPerPixel: 0.05 } as FloorView['plan']
  const other = { ...room, id: 2, polygon: rectangleOf([0.2, 0.2], [0.6, 0.6]) }
  const view = { floorId: 9, floorName: '1层', plan, rooms: [room, other], devices: [] }
  const target = snapTargetOf(view, 1, [])
  expect(snap([0.605, 0.606], target)).toEqual([0.6, 0.6])
  expect(snap([0.605, 0.9], target)).toEqual([0.6, 0.9])
  expect(snap([0.7, 0.9], target)).toEqual([0.7, 0.9])
  expect(snap([0.605, 0.606], snapTargetOf(view, 2, []))).toEqual([0.605, 0.606])
  expect(areaOf(other.polygon, plan)).toBeCloseTo(200)
  expect(areaOf(other.polygon, null)).toBeUndefined()
  expect(moveCorner(other.polygon, 1, [0.7, 0.1])[1]).toEqual([0.7, 0.1])
})

it('lists the four cameras that are nearest to a room, with metres where there is a scale', () => {
  const plan = { width: 1000, height: 500, metresPerPixel: 0.1 } as FloorView['plan']
  const polygon = rectangleOf([0.1, 0.1], [0.3, 0.3])
  const room = {
    id: 1,
    version: 1,
    kind: 'ROOM',
    name: '101',
    sensitivity: 'NORMAL',
    polygon,
    planRoute: null,
  } as const
  const device = { version: 1, placeId: 9, connectivity: 'ONLINE', planY: 0.2, isCamera: true } as const
  const devices = [0.9, 0.2, 0.4, null, 0.6, 0.5].map((planX, id) => ({ ...device, id, sn: `C${id}`, planX }))
  const view = {
    floorId: 9,
    floorName: '1层',
    plan,
    rooms: [room],
    devices: [...devices, { ...device, id: 7, sn: 'B', planX: 0.2, isCamera: false }],
  }
  expect(listNearestCameras(view, 1).map(({ device: { sn }, metres }) => [sn, metres])).toEqual([
    ['C1', 0],
    ['C2', 20],
    ['C5', 30],
    ['C4', 40],
  ])
  expect(listNearestCameras({ ...view, plan: null }, 1)[1]?.metres).toBeUndefined()
})

it('shows a floor as it would be after saving', () => {
  const room = {
    id: 1,
    version: 1,
    kind: 'ROOM',
    name: '101',
    sensitivity: 'NORMAL',
    polygon: null,
    planRoute: null,
  } as const
  const view = { floorId: 9, floorName: '1层', plan: null, rooms: [room], devices: [] }
  const outline = rectangleOf([0, 0], [0.5, 0.5])
  expect(applyDrawn(view, { ...nothing, outlines: { 1: outline } }).rooms[0]?.polygon).toEqual(outline)
})

it('shows an edition that is not published with its own drawing, and the published one with what is shown', () => {
  const shownOutline = rectangleOf([0, 0], [0.5, 0.5])
  const own = rectangleOf([0.5, 0.5], [1, 1])
  const rooms = [
    { id: 1, polygon: shownOutline, planRoute: [[0, 0.5]] },
    { id: 2, polygon: shownOutline, planRoute: null },
  ]
  const devices = [{ id: 7, planX: 0.1, planY: 0.2 }]
  const view = { floorId: 9, floorName: '', plan: null, rooms, devices } as unknown as FloorView
  const drawing = { places: [{ id: 1, polygon: own, planRoute: null }], pins: [] }
  const draft = { id: 5, version: 3, publishedAt: null, drawing } as unknown as NonNullable<FloorView['plan']>
  const seen = viewEdition(view, draft)
  expect(seen.rooms).toMatchObject([
    { id: 1, polygon: own, planRoute: null },
    { id: 2, polygon: null },
  ])
  expect(seen.devices).toMatchObject([{ planX: null, planY: null }])
  expect(viewEdition(view, { ...draft, publishedAt: new Date(0), drawing: null })).toMatchObject({ rooms, devices })
  expect(drawnOf(view)).toEqual({
    outlines: { 1: shownOutline, 2: shownOutline },
    routes: { 1: [[0, 0.5]] },
    pins: { 7: [0.1, 0.2] },
  })
})

it('sends a drawing with the versions from when it began, so that nothing of another user is overwritten unseen', () => {
  const outline = rectangleOf([0, 0], [0.5, 0.5])
  const makeView = (version: number, ids: number[]) =>
    ({
      floorId: 9,
      plan: { id: 5, version: version + 10, publishedAt: new Date(0) },
      rooms: ids.map((id) => ({ id, version })),
      devices: [{ id: 7, version }],
    }) as unknown as FloorView
  const [begun, now] = [makeView(1, [1, 2]), makeView(4, [1, 2, 3])]
  const drawn = { outlines: { 1: outline, 3: outline }, routes: { 1: null }, pins: { 7: null } }
  expect(toPlanDraw(begun, now, drawn)).toEqual({
    id: 5,
    version: 11,
    placeId: 9,
    places: [
      { id: 1, version: 1, polygon: outline, planRoute: null },
      { id: 3, version: 4, polygon: outline, planRoute: undefined },
    ],
    pins: [{ id: 7, version: 1, at: null }],
  })
  expect(toPlanDraw({ ...begun, plan: null }, now, nothing)).toMatchObject({ id: null, version: null, places: [] })
})

it('copies outlines and pins to the rooms with the same place in their floor, and names those without', () => {
  const outline = rectangleOf([0.1, 0.1], [0.4, 0.3])
  const way = [
    [0, 0.5],
    [0.1, 0.2],
  ]
  const makeFloor = (floorId: number, rooms: object[], devices: object[]) =>
    ({ floorId, floorName: '', plan: null, rooms, devices }) as unknown as FloorView
  const source = makeFloor(
    3,
    [
      { id: 31, name: '301室', polygon: outline, planRoute: way },
      { id: 32, name: '302室', polygon: outline },
      { id: 33, name: '楼梯间', polygon: outline },
      { id: 34, name: '303室', polygon: null },
    ],
    [
      { id: 301, placeId: 31, sn: 'B', planX: 0.2, planY: 0.3 },
      { id: 302, placeId: 31, sn: 'A', planX: 0.1, planY: 0.1 },
      { id: 303, placeId: 3, sn: 'C', planX: 0.9, planY: 0.9 },
      { id: 304, placeId: 34, sn: 'D', planX: null, planY: null },
    ],
  )
  const target = makeFloor(
    4,
    [
      { id: 41, name: '401室', polygon: null },
      { id: 43, name: '楼梯间', polygon: null },
      { id: 44, name: '403室', polygon: outline },
    ],
    [
      { id: 401, placeId: 41, sn: 'Y', planX: null, planY: null },
      { id: 402, placeId: 41, sn: 'X', planX: null, planY: null },
      { id: 403, placeId: 41, sn: 'Z', planX: null, planY: null },
      { id: 404, placeId: 4, sn: 'W', planX: 0.5, planY: 0.5 },
      { id: 405, placeId: 44, sn: 'V', planX: null, planY: null },
    ],
  )
  expect(copyFloor({ source, target, from: 3, to: 4 })).toEqual({
    drawn: {
      outlines: { 41: outline, 43: outline },
      routes: { 41: way },
      pins: { 401: [0.2, 0.3], 402: [0.1, 0.1], 404: [0.9, 0.9] },
    },
    missing: ['302室'],
  })
  expect(countDrawn(copyFloor({ source, target, from: null, to: 4 }).drawn)).toBe(2)
  expect(renameRoom('1101室', 1, 2)).toBe('1101室')
  expect(renameRoom('A1101室', 11, 12)).toBe('A1201室')
})
