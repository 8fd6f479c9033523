import { codes } from '@tocsin/contract/codes'
import { buttonTests, MAX_WINDOW_HOURS, TEST_INTERVAL_DAYS, TestPlanDraft } from '@tocsin/contract/device/button-test'
import { localDay } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import {
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { listSchoolDays } from '#areas/school/calendar/day-kind'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { runHooks } from '#db/transaction-hook'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { cancelTimers } from '#timer/timer'
import { buttonTestEnded } from './test-hooks.ts'
import { pressedAt } from './test-reads.ts'
import { scheduleWindowEnd, windowEndTimer } from './test-timer.ts'

type Plan = Row<'testPlan'>

const HOUR_MS = 3_600_000

const recordChange = async (
  trx: Db,
  caller: Caller,
  { before, after }: { before?: Plan; after?: Plan },
): Promise<void> => {
  const plan = after ?? before
  if (!plan) return
  await writeAudit(trx, {
    ...caller,
    action: buttonTests.create.permission,
    subject: 'test_plan',
    subjectId: plan.id,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })
  await emitEvents(trx, { type: 'test.changed', ref: plan.id, schoolId: plan.schoolId })
}

const lockPlan = async (trx: Db, actor: Actor, id: number): Promise<Plan> => {
  const plan = await scoped(trx, actor)
    .selectFrom('testPlan')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!plan) throw new BusinessError(codes.notFound, { what: '测试计划' })
  return plan
}

const checkWindow = ({ windowFrom, windowTo }: TestPlanDraft): void => {
  if (windowTo <= windowFrom) throw fieldError(TestPlanDraft, 'windowTo', 'tooSmall', windowFrom)
  if (windowTo.getTime() - windowFrom.getTime() > MAX_WINDOW_HOURS * HOUR_MS)
    throw fieldError(TestPlanDraft, 'windowTo', 'tooBig', new Date(windowFrom.getTime() + MAX_WINDOW_HOURS * HOUR_MS))
}

/** Locks the school row, so that two concurrent plans see each other's window. */
const lockSchool = async (trx: Db, actor: Actor, schoolId: number): Promise<void> => {
  const school = await scoped(trx, actor)
    .selectFrom('school')
    .select('id')
    .where('id', '=', schoolId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
}

/** A test rings bells: it would disturb an exam. */
const checkNoExam = async (trx: Db, { schoolId, windowFrom, windowTo }: TestPlanDraft): Promise<void> => {
  const days = await listSchoolDays(trx, schoolId, { fromDay: localDay(windowFrom), toDay: localDay(windowTo) })
  const exam = days.find(({ kind }) => kind === 'EXAM')
  if (exam) throw new BusinessError(codes.planExam, { day: exam.day })
}

/** Creates an open result for each accepted device with a button. */
const insertResults = async (trx: Db, { id: planId, schoolId }: Plan): Promise<void> => {
  const all = unscoped(trx, 'the school is visible')
  const devices = await all
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['schoolDevice.id as schoolDeviceId', 'schoolDevice.deviceId'])
    .where('schoolDevice.schoolId', '=', schoolId)
    .where('schoolDevice.validTo', 'is', null)
    .where('schoolDevice.status', '=', 'ACCEPTED')
    .where(sql<boolean>`cardinality(device_model.alarm_codes) > 0`)
    .execute()
  if (devices.length === 0) throw new BusinessError(codes.planEmpty)
  await all
    .insertInto('testResult')
    .values(devices.map((device) => ({ ...device, planId, schoolId })))
    .execute()
}

export const createPlan = (db: Db, draft: TestPlanDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    checkWindow(draft)
    await lockSchool(trx, caller.actor, draft.schoolId)
    await checkNoExam(trx, draft)
    const all = unscoped(trx, 'the school is visible')
    const other = await all
      .selectFrom('testPlan')
      .select('id')
      .where('schoolId', '=', draft.schoolId)
      .where('closedAt', 'is', null)
      .where('windowFrom', '<', draft.windowTo)
      .where('windowTo', '>', draft.windowFrom)
      .executeTakeFirst()
    if (other) throw new BusinessError(codes.planOverlaps)
    const after = await all
      .insertInto('testPlan')
      .values({ ...draft, note: draft.note ?? null, ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    await insertResults(trx, after)
    await scheduleWindowEnd(trx, after)
    await recordChange(trx, caller, { after })
    return after.id
  })

type One = { id: number; version: number }

const change = (db: Db, { id, version }: One, caller: Caller, set: (trx: Db, plan: Plan) => Promise<Partial<Plan>>) =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller.actor, id)
    await checkVersion(version, before, () => toAuditState(before))
    if (before.closedAt) throw new BusinessError(codes.planClosed)
    const after = await unscoped(trx, 'locked in the visibility of the caller')
      .updateTable('testPlan')
      .set({ ...(await set(trx, before)), ...updateStamp(caller) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { before, after })
    return true
  })

const now = sql<Date>`now()` as unknown as Date

/** Records that the police station was notified that alarms of this window are a test. */
export const tellStation = (db: Db, body: One, caller: Caller): Promise<true> =>
  change(db, body, caller, async () => ({ stationToldAt: now, stationToldBy: caller.actor.userId }))

/** Stores the final results; a device that passed is due again a quarter later. */
const settleResults = async (trx: Db, plan: Plan): Promise<void> => {
  const all = unscoped(trx, 'results of a plan that was locked in the visibility of the caller')
  const results = await all
    .selectFrom('testResult')
    .select(['id', 'schoolDeviceId', 'result', pressedAt(plan).as('pressed')])
    .where('planId', '=', plan.id)
    .orderBy('deviceId')
    .execute()
  for (const { id, schoolDeviceId, result, pressed } of results) {
    const passed = pressed !== null
    await all
      .updateTable('testResult')
      .set({ result: passed ? 'PASSED' : result === 'PENDING' ? 'NOT_PRESSED' : result, at: pressed })
      .where('id', '=', id)
      .execute()
    if (passed)
      await all
        .updateTable('schoolDevice')
        .set({
          lastTestAt: pressed,
          nextTestDue: sql<string>`(${pressed}::timestamptz)::date + ${sql.lit(TEST_INTERVAL_DAYS)}::int`,
        })
        .where('id', '=', schoolDeviceId)
        .where('validTo', 'is', null)
        .execute()
  }
}

export const closePlan = (db: Db, body: One, caller: Caller): Promise<true> =>
  change(db, body, caller, async (trx, plan) => {
    if (!plan.stationToldAt) throw new BusinessError(codes.planStation)
    await settleResults(trx, plan)
    await cancelTimers(trx, windowEndTimer(plan.id))
    await runHooks(trx, buttonTestEnded, { planId: plan.id, isClosed: true })
    return { closedAt: now }
  })

/** Records that a press did not arrive, as reported by the tester on site; can be reverted. */
export const recordResult = (
  db: Db,
  { id, received }: { id: number; received: boolean },
  caller: Caller,
): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const found = await scoped(trx, caller.actor)
      .selectFrom('testResult')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    if (!found) throw new BusinessError(codes.notFound, { what: '测试计划' })
    const plan = await lockPlan(trx, caller.actor, found.planId)
    if (plan.closedAt) throw new BusinessError(codes.planClosed)
    await unscoped(trx, 'read in the visibility of the caller')
      .updateTable('testResult')
      .set({ result: received ? 'PENDING' : 'NOT_RECEIVED', byUserId: caller.actor.userId })
      .where('id', '=', id)
      .execute()
    await writeAudit(trx, {
      ...caller,
      action: buttonTests.record.permission,
      subject: 'test_result',
      subjectId: id,
      before: { result: found.result },
      after: { result: received ? 'PENDING' : 'NOT_RECEIVED' },
    })
    await emitEvents(trx, { type: 'test.changed', ref: plan.id, schoolId: plan.schoolId })
    return true
  })

export const deletePlan = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller.actor, id)
    if (before.windowFrom <= new Date()) throw new BusinessError(codes.planStarted)
    await cancelTimers(trx, windowEndTimer(id))
    await unscoped(trx, 'locked in the visibility of the caller').deleteFrom('testPlan').where('id', '=', id).execute()
    await recordChange(trx, caller, { before })
    return true
  })
