import { codes } from '@tocsin/contract/codes'
import { PlanDraw, type ControlPoint, type PlanContent } from '@tocsin/contract/school/plan/floor-plan'
import { toMapPosition } from '@tocsin/contract/school/plan/plan-position'
import { sql } from 'kysely'
import { recordChanges, type RowChange } from '#areas/audit/edit-row'
import { checkVersion, fieldError, updateStamp } from '#areas/audit/edit-transaction'
import type { Db, UnscopedDb } from '#db/db'
import { emitEvents } from '#db/event'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { all, checkOutline } from '../place-checks.ts'

type Place = Row<'place'>
type Installation = Row<'schoolDevice'>
type Outline = NonNullable<Place['polygon']>

/** The places below a floor, and what is installed on it now. */
export type FloorRows = { places: Place[]; installations: Installation[] }

const isSame = (some: unknown, other: unknown): boolean => JSON.stringify(some) === JSON.stringify(other)

/** Who may pin devices, as the calls of the device area demand, which comes after this one. */
const PIN_PERMISSION = 'device:school-device:install'

/** Locks the rows of a floor whose school is locked. */
export const lockFloorRows = async (trx: Db, floorId: number): Promise<FloorRows> => {
  const school: UnscopedDb = all(trx)
  const { rows } = await sql<{ id: number }>`
    with recursive down as (
      select id from place where id = ${floorId}
      union select below.id from place below join down on below.parent_id = down.id
    ) select id from down`.execute(school)
  const ids = rows.map(({ id }) => id)
  const places = await school
    .selectFrom('place')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const installations = await school
    .selectFrom('schoolDevice')
    .selectAll()
    .where('placeId', 'in', ids)
    .where('validTo', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return { places: places.filter(({ id }) => id !== floorId), installations }
}

/** What is shown now. */
export const contentOf = ({ places, installations }: FloorRows): PlanContent => ({
  places: places
    .filter(({ polygon, planRoute }) => polygon ?? planRoute)
    .map(({ id, polygon, planRoute }) => ({ id, polygon, planRoute })),
  pins: installations.flatMap(({ id, planX: x, planY: y }) => (x === null || y === null ? [] : [{ id, x, y }])),
})

/** A drawing with changes: what they do not name stays. */
export const mergeContent = (drawing: PlanContent | null, { places, pins }: PlanDraw): PlanContent => {
  const outlines = new Map(drawing?.places.map((place) => [place.id, place]))
  for (const { id, polygon, planRoute } of places) {
    const before = outlines.get(id) ?? { polygon: null, planRoute: null }
    outlines.set(id, {
      id,
      polygon: polygon === undefined ? before.polygon : polygon,
      planRoute: planRoute === undefined ? before.planRoute : planRoute,
    })
  }
  const marks = new Map(drawing?.pins.map((pin) => [pin.id, pin]))
  for (const { id, at } of pins) {
    if (at) marks.set(id, { id, x: at[0], y: at[1] })
    else marks.delete(id)
  }
  return {
    places: [...outlines.values()].filter(({ polygon, planRoute }) => polygon ?? planRoute),
    pins: [...marks.values()],
  }
}

/** Only those who may install move a pin; taking over the pins that are shown moves none. */
const assertMayPin = ({ actor }: Caller, { installations }: FloorRows, { pins }: PlanDraw): void => {
  if (hasPermission(actor)(PIN_PERMISSION)) return
  const shown = new Map(installations.map(({ id, planX, planY }) => [id, [planX, planY]]))
  if (pins.some(({ id, at }) => !at || !isSame(at, shown.get(id)))) throw new BusinessError(codes.forbidden)
}

/** Refuses places and devices that are not on the floor, outlines that cross themselves, and pins without the right. */
export const assertDrawable = (caller: Caller, rows: FloorRows, draw: PlanDraw): void => {
  const known = (list: readonly { id: number }[], given: readonly { id: number }[]) => {
    const ids = new Set(list.map(({ id }) => id))
    return given.every(({ id }) => ids.has(id))
  }
  if (!known(rows.places, draw.places)) throw fieldError(PlanDraw, 'places', 'choice')
  if (!known(rows.installations, draw.pins)) throw fieldError(PlanDraw, 'pins', 'choice')
  for (const { polygon } of draw.places) checkOutline(polygon)
  assertMayPin(caller, rows, draw)
}

/** Of what is shown, another user may have changed one place: the whole drawing is refused then. */
export const assertRowVersions = async ({ places, installations }: FloorRows, draw: PlanDraw): Promise<void> => {
  const check = async (list: readonly (Place | Installation)[], given: PlanDraw['places'] | PlanDraw['pins']) => {
    const rows = new Map(list.map((row) => [row.id, row]))
    for (const { id, version } of given) {
      const row = rows.get(id)
      if (row) await checkVersion(version, row, () => row)
    }
  }
  await check(places, draw.places)
  await check(installations, draw.pins)
}

/** A list for a jsonb column: the driver would write it as an SQL array. */
const toJson = (list: Outline | null) => list && sql<Outline>`${JSON.stringify(list)}::jsonb`

type Target = {
  rows: FloorRows
  schoolId: number
  content: PlanContent
  /** Lays the plan on the map: a device that is pinned gets its position there. */
  edition: { controlPoints: ControlPoint[] | null } | undefined
  /** Whether another edition was shown: devices whose pin stays where it was get their position from this one too. */
  isNew: boolean
  action: string
}

const applyPlaces = async (trx: Db, caller: Caller, { rows, content, action }: Target): Promise<RowChange[]> => {
  const drawn = new Map(content.places.map((place) => [place.id, place]))
  const changes: RowChange[] = []
  for (const before of rows.places) {
    const { polygon = null, planRoute = null } = drawn.get(before.id) ?? {}
    if (isSame([polygon, planRoute], [before.polygon, before.planRoute])) continue
    const after = await all(trx)
      .updateTable('place')
      .set({ polygon: toJson(polygon), planRoute: toJson(planRoute), ...updateStamp(caller) })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    changes.push({ action, subject: 'place', id: before.id, before, after })
  }
  return changes
}

const applyPins = async (trx: Db, caller: Caller, target: Target): Promise<RowChange[]> => {
  const { rows, schoolId, content, edition, isNew, action } = target
  const drawn = new Map(content.pins.map((pin) => [pin.id, pin]))
  const changes: RowChange[] = []
  for (const before of rows.installations) {
    const { x = null, y = null } = drawn.get(before.id) ?? {}
    const position = x === null || y === null ? undefined : toMapPosition(edition?.controlPoints ?? [], x, y)
    const { lng, lat } = (isNew && position) || before
    if (isSame([x, y, lng, lat], [before.planX, before.planY, before.lng, before.lat])) continue
    const after = await all(trx)
      .updateTable('schoolDevice')
      .set({ planX: x, planY: y, ...position, ...updateStamp(caller) })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const events = [{ type: 'device.changed' as const, ref: before.deviceId, schoolId }]
    changes.push({ action, subject: 'school_device', id: before.id, before, after, events })
  }
  return changes
}

/** Makes a drawing the one that is shown. Only rows that it changes get a new version. */
export const applyContent = async (trx: Db, caller: Caller, target: Target): Promise<void> => {
  const changes = [...(await applyPlaces(trx, caller, target)), ...(await applyPins(trx, caller, target))]
  if (changes.length === 0) return
  const { schoolId } = target
  await recordChanges(trx, caller, changes)
  await emitEvents(trx, { type: 'school.changed', ref: schoolId, schoolId })
}
