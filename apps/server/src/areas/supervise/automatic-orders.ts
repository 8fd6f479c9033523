import { describeEvidence, type StoredEvidence } from '@tocsin/contract/supervise/order-evidence'
import { sql } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'
import type { Row } from '#db/tables'
import { emitOrderChanged, nextOrderNo, saveParties, writeOrderLog } from './order-change.ts'
import { notifyOrder } from './order-notices.ts'
import { scheduleReminders } from './order-timers.ts'

type Automatic = Pick<
  Row<'superviseOrder'>,
  'kind' | 'subjectType' | 'subjectId' | 'subjectLabel' | 'title' | 'content' | 'requirement'
> & { schoolId: number; signHours: number; dueHours: number; evidence?: StoredEvidence }

/** The texts that evidence makes, and itself. */
export const toOrderText = (evidence: StoredEvidence, label: string) => ({
  evidence,
  ...describeEvidence(evidence, label, 'zh-cn'),
})

/**
 * Issues an order to a school in the name of its education department, unless one about the same subject is open.
 * @returns whether it was issued
 */
export const issueAutomatically = async (
  trx: Db,
  { schoolId, signHours, dueHours, ...text }: Automatic,
): Promise<boolean> => {
  const all = unscoped(trx, 'the system issues an order for nobody in particular')
  const school = await all
    .selectFrom('school')
    .innerJoin('dept', 'dept.id', 'school.deptId')
    .select(['school.deptId', 'dept.parentId'])
    .where('school.id', '=', schoolId)
    .executeTakeFirst()
  if (!school) return false
  const order = await trx
    .insertInto('superviseOrder')
    .values({
      ...text,
      no: await nextOrderNo(trx),
      issuerDeptId: school.parentId ?? school.deptId,
      responsibleDeptId: school.deptId,
      schoolId,
      state: 'ISSUED',
      issuedAt: sql<Date>`now()`,
      signDueAt: sql<Date>`now() + make_interval(hours => ${signHours})`,
      dueAt: sql<Date>`now() + make_interval(hours => ${dueHours})`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subjectType', 'subjectId'])
        .where(
          sql<boolean>`subject_id is not null and state in ('ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED', 'RETURNED')`,
        )
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (!order) return false
  await saveParties(trx, order)
  await writeOrderLog(trx, null, order, { verb: 'issueAutomatically' })
  await scheduleReminders(trx, order.id)
  await notifyOrder(trx, order, ['responsible', 'issuer'], { zh: '新的督办单', en: 'New supervision order' })
  await emitOrderChanged(trx, order.id)
  return true
}

/** T5: an alarm open for too long causes an order to its school. Tests and drills do not. */
export const superviseOverdueAlarm = addHook(alarmHooks.overdue, async (trx, { recordId }) => {
  const record = await unscoped(trx, 'the alarm acts for nobody in particular')
    .selectFrom('warnRecord')
    .select(['id', 'no', 'schoolId', 'mode', 'level', 'placePath', 'firstAt'])
    .select(sql<number>`floor(extract(epoch from now() - first_at) / 60)::int`.as('minutes'))
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!record?.schoolId || record.mode !== 'LIVE') return
  const { id: subjectId, no, level, placePath: place, firstAt, minutes: figure, schoolId } = record
  const facts = { figure, total: null, limit: null, level, place, since: firstAt.getTime(), until: null }
  await issueAutomatically(trx, {
    kind: 'ALARM_OVERDUE',
    subjectType: 'WARN_RECORD',
    subjectId,
    subjectLabel: no,
    ...toOrderText({ kind: 'ALARM_OPEN', ...facts }, no),
    schoolId,
    signHours: 2,
    dueHours: 24,
  })
})
