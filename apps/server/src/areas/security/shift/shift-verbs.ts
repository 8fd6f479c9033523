import { codes } from '@tocsin/contract/codes'
import { CheckIn } from '@tocsin/contract/security/shift'
import {
  CHECK_IN_EARLY_MIN,
  END_GRACE_MIN,
  MAX_CHECK_IN_METRES,
  shiftRule,
  type ShiftVerb,
  whyNotShiftVerb,
} from '@tocsin/contract/security/shift-machine'
import { lockRow, updateRow } from '#areas/audit/edit-row'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { assertHandedOver, assertOwnsNoAlarm } from '../handover/handover-verbs.ts'
import { recordEquipment } from '../post/equipment-check.ts'
import { toStoredEquipment } from '../post/post-edit.ts'
import { assertStillFree } from './conflicts.ts'
import { setAvailable } from './responder-availability.ts'
import { notifyExcused } from './shift-notices.ts'
import { shiftTable, type StoredShift } from './shift-rows.ts'

type ShiftRef = { id: number; version?: number | undefined }
type Verb = {
  verb: ShiftVerb
  /** Of the audited action. */
  action: string
  /** Checks the caller and the input; @returns further columns. */
  prepare: (trx: Db, shift: StoredShift) => Promise<Partial<StoredShift>> | Partial<StoredShift>
}

const applyVerb = async (trx: Db, ref: ShiftRef, caller: Caller, { verb, action, prepare }: Verb): Promise<true> => {
  const before = await lockRow(trx, caller, shiftTable, ref)
  const columns = await prepare(trx, before)
  const why = whyNotShiftVerb(verb, before, new Date())
  if (why) throw new BusinessError(why, { state: before.state, minutes: CHECK_IN_EARLY_MIN })
  const changes = { ...columns, state: shiftRule(verb).to }
  const after = await updateRow(trx, caller, shiftTable, { before, changes, verb: action })
  if (verb === 'checkIn') await setAvailable(trx, after, true)
  if (verb === 'checkOut' || verb === 'leaveEarly') await setAvailable(trx, after, false)
  return true
}

const isOwnShift = async (trx: Db, { employeeId }: StoredShift, { actor }: Caller): Promise<boolean> => {
  const person = await unscoped(trx, 'the person of a shift that was locked in sight')
    .selectFrom('employee')
    .select('userId')
    .where('id', '=', employeeId)
    .executeTakeFirst()
  return person?.userId === actor.userId
}

const isPlanner = ({ actor }: Caller): boolean => hasPermission(actor)(shiftRule('excuse').permission ?? '')

const EARTH_METRES = 6_371_000
type Position = { lng: number; lat: number }

/** Great-circle distance in metres. */
const distanceBetween = (a: Position, b: Position): number => {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const half = (angle: number) => Math.sin(rad(angle) / 2) ** 2
  const h = half(b.lat - a.lat) + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * half(b.lng - a.lng)
  return Math.round(2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(h))))
}

/** The place of the post, else its school. */
const locatePost = async (trx: Db, { postId }: StoredShift) => {
  const found = await unscoped(trx, 'the post of a shift that was locked in sight')
    .selectFrom('securityPost')
    .leftJoin('place', 'place.id', 'securityPost.placeId')
    .leftJoin('school', 'school.id', 'securityPost.schoolId')
    .select([
      'securityPost.checkCode',
      'securityPost.type',
      'place.lng',
      'place.lat',
      'school.lng as schoolLng',
      'school.lat as schoolLat',
    ])
    .where('securityPost.id', '=', postId)
    .executeTakeFirstOrThrow()
  const [lng, lat] = [found.lng ?? found.schoolLng, found.lat ?? found.schoolLat]
  return {
    checkCode: found.checkCode,
    type: found.type,
    position: lng === null || lat === null ? undefined : { lng, lat },
  }
}

/**
 * Rejects a check-in from afar without a reason.
 * @returns metres from the post; undefined when nobody has stored its position, so that the reason has to do
 */
const checkPosition = async (
  trx: Db,
  shift: StoredShift,
  { lng, lat, reason }: CheckIn,
): Promise<number | undefined> => {
  if (lng === undefined) throw fieldError(CheckIn, 'lng', 'required')
  if (lat === undefined) throw fieldError(CheckIn, 'lat', 'required')
  const { position } = await locatePost(trx, shift)
  if (!position) {
    if (!reason) throw new BusinessError(codes.shiftNoPosition)
    return undefined
  }
  const metres = distanceBetween(position, { lng, lat })
  if (metres > MAX_CHECK_IN_METRES && !reason) throw new BusinessError(codes.shiftFar, { metres })
  return metres
}

/** The person checks in by QR code, position or reason; a planner checks others in manually. */
export const checkIn = (db: Db, body: CheckIn, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, (trx) =>
    applyVerb(trx, body, caller, {
      verb: 'checkIn',
      action: 'check-in',
      prepare: async (_trx, shift) => {
        const { method, reason, equipment } = body
        const isOwn = await isOwnShift(trx, shift, caller)
        if (!isOwn && !(method === 'HAND' && isPlanner(caller))) throw new BusinessError(codes.shiftNotYours)
        if (method === 'HAND' && !reason) throw new BusinessError(codes.reasonNeeded)
        if (method === 'QR' && (await locatePost(trx, shift)).checkCode !== body.code)
          throw new BusinessError(codes.shiftWrongCode)
        if (method === 'DESK' && (await locatePost(trx, shift)).type !== 'SEAT')
          throw new BusinessError(codes.shiftNotSeat)
        if (shift.state === 'ABSENT') await assertStillFree(trx, shift)
        const metres = method === 'POSITION' ? await checkPosition(trx, shift, body) : null
        return {
          checkedInAt: new Date(),
          // Without a position of the post, it is by hand, whatever the phone sends.
          checkInMethod: metres === undefined ? 'HAND' : method,
          checkInReason: reason || null,
          checkInDistance: metres ?? null,
          ...(equipment && {
            equipmentCheck: toStoredEquipment(await recordEquipment(trx, caller, shift.postId, equipment)),
          }),
        }
      },
    }),
  )

type CheckOut = ShiftRef & { reason?: string | undefined }

const MINUTE_MS = 60_000

/** Ends the shift; ending it early needs a reason. */
export const checkOut = (db: Db, { reason, ...ref }: CheckOut, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { toAt } = await lockRow(trx, caller, shiftTable, ref)
    const isOver = Date.now() >= toAt.getTime() - END_GRACE_MIN * MINUTE_MS
    return applyVerb(trx, ref, caller, {
      verb: isOver ? 'checkOut' : 'leaveEarly',
      action: 'check-out',
      prepare: async (_trx, shift) => {
        if (!(await isOwnShift(trx, shift, caller)) && !isPlanner(caller)) throw new BusinessError(codes.shiftNotYours)
        const { state } = shift
        if (state !== 'CHECKED_IN') throw new BusinessError(codes.shiftState, { state })
        await assertHandedOver(trx, shift, caller)
        await assertOwnsNoAlarm(trx, shift, caller)
        if (!isOver && !reason) throw new BusinessError(codes.shiftNotOver)
        return { checkedOutAt: new Date(), leftReason: isOver ? null : (reason ?? null) }
      },
    })
  })

export const excuseShift = (db: Db, { reason, ...ref }: ShiftRef & { reason: string }, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, (trx) =>
    applyVerb(trx, ref, caller, {
      verb: 'excuse',
      action: 'excuse',
      prepare: async (_trx, shift) => {
        if (!(await isOwnShift(trx, shift, caller))) await notifyExcused(trx, shift, reason)
        return { absenceReason: reason }
      },
    }),
  )
