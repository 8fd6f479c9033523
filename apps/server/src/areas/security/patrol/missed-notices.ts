import { patrols } from '@tocsin/contract/security/patrol'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { listDutyReaders } from '../duty-readers.ts'
import { formatShiftTime } from '../shift/shift-rows.ts'

/** A round that ended with points that nobody reached. */
export type MissedRun = Pick<Row<'patrolRun'>, 'planId' | 'schoolId' | 'round' | 'fromAt' | 'toAt'> & {
  done: number
  total: number
}

const loadNames = async (
  trx: Db,
  table: 'school' | 'patrolPlan',
  ids: readonly number[],
): Promise<Map<number, string>> => {
  const rows = await unscoped(trx, 'names in the notice of a missed round')
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Notifies each school and its district of its missed rounds, in one notice. */
export const notifyMissedRuns = async (trx: Db, missed: readonly MissedRun[]): Promise<void> => {
  if (missed.length === 0) return
  const schoolIds = [...new Set(missed.map(({ schoolId }) => schoolId))]
  const schools = await loadNames(trx, 'school', schoolIds)
  const plans = await loadNames(
    trx,
    'patrolPlan',
    missed.map(({ planId }) => planId),
  )
  for (const schoolId of schoolIds) {
    const readers = await listDutyReaders(trx, schoolId, patrols.page.permission)
    if (!readers || readers.userIds.length === 0) continue
    const lines = missed
      .filter((run) => run.schoolId === schoolId)
      .map(({ planId, round, fromAt, toAt, done, total }) => {
        const plan = escapeHtml(plans.get(planId) ?? '')
        const span = `${formatShiftTime(fromAt)} – ${formatShiftTime(toAt)}`
        return `<p>${plan} 第 ${round} 轮 ${span}：已到 ${done}/${total} 点。</p><p>${plan}, round ${round}, ${span}: ${done} of ${total} points reached.</p>`
      })
    await publishSystemNotice(
      trx,
      { deptId: readers.deptId },
      {
        title: `巡查漏检：${schools.get(schoolId) ?? ''}`,
        content: lines.join(''),
        publisherName: null,
        userIds: readers.userIds,
      },
    )
  }
}
