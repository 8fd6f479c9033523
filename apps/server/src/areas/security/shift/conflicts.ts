import { codes } from '@tocsin/contract/codes'
import { localDay } from '@tocsin/contract/security/hours'
import { MAX_SHIFT_HOURS, ShiftDraft } from '@tocsin/contract/security/shift'
import { MIN_REST_HOURS } from '@tocsin/contract/security/shift-machine'
import { fieldError } from '#areas/audit/edit-transaction'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Owner } from '../owner.ts'
import { formatShiftTime } from './shift-rows.ts'

const HOUR_MS = 3_600_000

type Plan = { employeeId: number; fromAt: Date; toAt: Date }
type NearShift = Plan & { post: string }

export const assertShiftSpan = ({ fromAt, toAt }: Pick<Plan, 'fromAt' | 'toAt'>): void => {
  if (toAt <= fromAt) throw fieldError(ShiftDraft, 'toAt', 'tooSmall', fromAt)
  if (toAt.getTime() - fromAt.getTime() > MAX_SHIFT_HOURS * HOUR_MS)
    throw new BusinessError(codes.shiftLong, { hours: MAX_SHIFT_HOURS })
}

const belongsTo = async (trx: Db, employee: Row<'employee'>, { schoolId, deptId }: Owner): Promise<boolean> => {
  if (schoolId === null) return employee.deptId === deptId
  if (employee.schoolId === schoolId) return true
  const further = await trx
    .selectFrom('employeeSchool')
    .select('employeeId')
    .where('employeeId', '=', employee.id)
    .where('schoolId', '=', schoolId)
    .executeTakeFirst()
  return further !== undefined
}

/** Shifts of people that overlap, or leave too little rest; one that the person missed does not count. */
const listNearShifts = async (
  all: UnscopedDb,
  employeeIds: readonly number[],
  { fromAt, toAt, except = [] }: Omit<Plan, 'employeeId'> & { except?: readonly number[] },
): Promise<NearShift[]> => {
  if (employeeIds.length === 0) return []
  const rest = MIN_REST_HOURS * HOUR_MS
  return all
    .selectFrom('shift')
    .innerJoin('securityPost', 'securityPost.id', 'shift.postId')
    .select(['shift.employeeId', 'shift.fromAt', 'shift.toAt', 'securityPost.name as post'])
    .where('shift.employeeId', 'in', employeeIds)
    .where('shift.state', '<>', 'ABSENT')
    .where('shift.fromAt', '<', new Date(toAt.getTime() + rest))
    .where('shift.toAt', '>', new Date(fromAt.getTime() - rest))
    .$if(except.length > 0, (q) => q.where('shift.id', 'not in', except))
    .orderBy('shift.fromAt')
    .execute()
}

type PlannedSpan = Pick<Plan, 'fromAt' | 'toAt'>

const isDouble = (shift: NearShift, plan: PlannedSpan): boolean => shift.fromAt < plan.toAt && shift.toAt > plan.fromAt

/** Why a plan overlaps another shift of the person, or leaves too little rest beside one. */
const whyNotRested = (near: readonly NearShift[], name: string, plan: PlannedSpan): BusinessError | undefined => {
  const describe = ({ fromAt, toAt, post }: NearShift) => ({
    name,
    from: formatShiftTime(fromAt),
    to: formatShiftTime(toAt),
    post,
    hours: MIN_REST_HOURS,
  })
  const double = near.find((shift) => isDouble(shift, plan))
  if (double) return new BusinessError(codes.shiftDouble, describe(double))
  const [close] = near
  return close && new BusinessError(codes.shiftRest, describe(close))
}

type Candidate = Pick<Row<'employee'>, 'id' | 'name' | 'status' | 'certExpiresOn'>

/** Why a person of the owner cannot take a shift. */
const whyNotFit = (
  { name, status, certExpiresOn }: Candidate,
  near: readonly NearShift[],
  plan: PlannedSpan,
): BusinessError | undefined => {
  if (status !== 'ACTIVE') return new BusinessError(codes.shiftInactive, { name })
  if (certExpiresOn !== null && certExpiresOn < localDay(plan.toAt))
    return new BusinessError(codes.shiftCertificate, { name, day: certExpiresOn })
  return whyNotRested(near, name, plan)
}

/** Those of an owner's people who could take a time, without a lock: planning one of them checks again. */
export const filterFit = async <T extends Candidate>(
  all: UnscopedDb,
  people: readonly T[],
  plan: PlannedSpan,
): Promise<T[]> => {
  const ids = people.map(({ id }) => id)
  const near = Map.groupBy(await listNearShifts(all, ids, plan), ({ employeeId }) => employeeId)
  return people.filter((person) => !whyNotFit(person, near.get(person.id) ?? [], plan))
}

/**
 * Rejects a late person who got another shift at that time or close to it, since the missed one did not count. Locks the
 * person, as planners do.
 */
export const assertStillFree = async (trx: Db, { id, ...plan }: Plan & { id: number }): Promise<void> => {
  const all = unscoped(trx, 'the person of a shift that was locked in sight may have shifts elsewhere')
  const { name } = await all
    .selectFrom('employee')
    .select('name')
    .where('id', '=', plan.employeeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const near = await listNearShifts(all, [plan.employeeId], { ...plan, except: [id] })
  const why = whyNotRested(near, name, plan)
  if (why) throw why
}

/**
 * Rejects a person who cannot take a shift: of another owner, not employed, without a valid certificate, with a shift at
 * that time, or with too little rest. Locks the person, so that two planners see each other's shifts.
 */
export const assertAssignable = async (trx: Db, plan: Plan, owner: Owner, except: readonly number[]): Promise<void> => {
  const all = unscoped(trx, 'the post is visible; a person may have shifts elsewhere')
  const employee = await all
    .selectFrom('employee')
    .selectAll()
    .where('id', '=', plan.employeeId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!employee) throw new BusinessError(codes.notFound, { what: '人员' })
  if (!(await belongsTo(trx, employee, owner))) throw new BusinessError(codes.notFound, { what: '人员' })
  const why = whyNotFit(employee, await listNearShifts(all, [employee.id], { ...plan, except }), plan)
  if (why) throw why
}
