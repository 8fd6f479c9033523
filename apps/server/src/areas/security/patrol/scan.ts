import { codes } from '@tocsin/contract/codes'
import {
  isWithinRound,
  MAX_SCAN_AGE_HOURS,
  patrolRunState,
  type ScanDraft,
  type ScanResult,
} from '@tocsin/contract/security/patrol'
import { recordChange } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import { addAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import type { NewEvent } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { formatShiftTime } from '../shift/shift-rows.ts'
import { SCAN_OWNER } from './patrol-reads.ts'
import { countReached, isRunOver, patrolEvent } from './patrol-runs.ts'

const HOUR_MS = 3_600_000

const missing = { ...codes.notFound, zh: '巡查轮次不存在', en: 'The round does not exist' }

/** Locked, so that the same scan sent twice at once is applied once. */
const lockRun = async (trx: Db, { actor }: Caller, id: number): Promise<Row<'patrolRun'>> => {
  const run = await scoped(trx, actor)
    .selectFrom('patrolRun')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!run) throw new BusinessError(missing)
  return run
}

/** By its code; a point that was removed since counts as long as the phone reached it before. */
const findPoint = async (trx: Db, { planId }: Row<'patrolRun'>, { code }: ScanDraft, at: Date) => {
  const all = unscoped(trx, 'points of a visible round')
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '')
  const point = await all
    .selectFrom('patrolPoint')
    .select(['id', 'name'])
    .where('planId', '=', planId)
    .where('code', '=', plain)
    .where((eb) => eb.or([eb('removedAt', 'is', null), eb('removedAt', '>=', at)]))
    .executeTakeFirst()
  if (point) return point
  const plan = await all.selectFrom('patrolPlan').select('name').where('id', '=', planId).executeTakeFirstOrThrow()
  throw new BusinessError(codes.patrolWrongCode, { plan: plan.name })
}

/** When the point was reached: as the phone says, but never later than now. */
const phoneTime = ({ scannedAt }: ScanDraft, now: Date): Date => (scannedAt && scannedAt < now ? scannedAt : now)

const assertInTime = (run: Row<'patrolRun'>, at: Date, now: Date): void => {
  if (now.getTime() - at.getTime() > MAX_SCAN_AGE_HOURS * HOUR_MS)
    throw new BusinessError(codes.patrolTooOld, { hours: MAX_SCAN_AGE_HOURS })
  if (!isWithinRound(at, { from: run.fromAt, to: run.toAt }))
    throw new BusinessError(codes.patrolOutside, {
      round: run.round,
      from: formatShiftTime(run.fromAt),
      to: formatShiftTime(run.toAt),
    })
}

const auditScan = (trx: Db, caller: Caller, scan: Row<'patrolScan'>, events: readonly NewEvent[]): Promise<void> =>
  recordChange(trx, caller, {
    action: 'security:patrol:scan',
    subject: 'patrol_scan',
    id: scan.id,
    // A scan that arrived before changes nothing.
    before: events.length === 0 ? scan : null,
    after: scan,
    events,
  })

/** Stores a scan of a point, unless the point was reached already. */
const insertScan = async (
  trx: Db,
  caller: Caller,
  { run, draft, now }: { run: Row<'patrolRun'>; draft: ScanDraft; now: Date },
) => {
  const at = phoneTime(draft, now)
  const point = await findPoint(trx, run, draft, at)
  const all = unscoped(trx, 'scans of a round that was locked in sight')
  const before = await all
    .selectFrom('patrolScan')
    .selectAll()
    .where('runId', '=', run.id)
    .where('pointId', '=', point.id)
    .executeTakeFirst()
  if (before) return { scan: before, isNew: false }
  assertInTime(run, at, now)
  const scan = await all
    .insertInto('patrolScan')
    .values({
      runId: run.id,
      pointId: point.id,
      schoolId: run.schoolId,
      pointName: point.name,
      userId: caller.actor.userId,
      stepKey: draft.stepKey,
      scannedAt: at,
      isOdd: draft.isOdd,
      note: draft.note || null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addAttachments(trx, {
    ownerType: SCAN_OWNER,
    ownerId: scan.id,
    files: draft.attachments,
    actor: caller.actor,
  })
  return { scan, isNew: true }
}

const isPointRemoved = async (trx: Db, { pointId }: Row<'patrolScan'>): Promise<boolean> => {
  const point = await unscoped(trx, 'the point of a scan of a round in sight')
    .selectFrom('patrolPoint')
    .select('removedAt')
    .where('id', '=', pointId)
    .executeTakeFirst()
  return !point || point.removedAt !== null
}

/** One point of a round; a scan that arrives again, or a point reached already, is answered and changes nothing. */
export const scanPoint = (db: Db, draft: ScanDraft, caller: Caller): Promise<ScanResult> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const all = unscoped(trx, 'scans of a round that was locked in sight')
    const run = await lockRun(trx, caller, draft.runId)
    const now = new Date()
    const sent = await all
      .selectFrom('patrolScan')
      .selectAll()
      .where('runId', '=', run.id)
      .where('stepKey', '=', draft.stepKey)
      .executeTakeFirst()
    const { scan, isNew } = sent ? { scan: sent, isNew: false } : await insertScan(trx, caller, { run, draft, now })
    const reached = await countReached(trx, run)
    if (isNew) {
      const state = patrolRunState(reached.done, reached.total, isRunOver(run, now))
      await all.updateTable('patrolRun').set({ state }).where('id', '=', run.id).execute()
    }
    await auditScan(trx, caller, scan, isNew ? [patrolEvent(run.planId, run.schoolId)] : [])
    return { pointName: scan.pointName, ...reached, isRemoved: await isPointRemoved(trx, scan) }
  })
