import { sql } from 'kysely'
import type { VerbContext } from '#areas/alarm/verb/verb-context'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { metrics } from '#metrics'

const TITLE = '一级警情无人看到'

/** One notice per department and hour, because a storm without anybody on duty would create one per record. */
const isToldOf = async (trx: Db, deptId: number): Promise<boolean> => {
  const notification = await unscoped(trx, 'whether it was told is asked for nobody in particular')
    .selectFrom('notice')
    .select('id')
    .where('state', '=', 'PUBLISHED')
    .where('publishedAt', '>', sql<Date>`now() - interval '1 hour'`)
    .where('deptId', '=', deptId)
    .where('title', '=', TITLE)
    .limit(1)
    .executeTakeFirst()
  return notification !== undefined
}

const administrators = async (trx: Db): Promise<number[]> => {
  const found = await unscoped(trx, 'whoever runs the system is told, wherever he is')
    .selectFrom('users')
    .innerJoin('userRole', 'userRole.userId', 'users.id')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('users.id')
    .where('users.enabled', '=', true)
    .where('role.enabled', '=', true)
    .where('role.code', '=', 'super_admin')
    .where('role.builtIn', '=', true)
    .execute()
  return found.map(({ id }) => id)
}

/**
 * No screen has displayed the record, so this reminder may have reached nobody (invariant 11): the log says so, a
 * metric counts it, and administrators get a notice for level 1.
 */
export const flagUndisplayed = async ({ trx, record }: VerbContext): Promise<{ unseen?: true }> => {
  const { displayedAt, level, mode, deptId, no } = record
  if (displayedAt !== null) return {}
  metrics.undisplayedReminders.inc({ level })
  if (level > 1 || mode !== 'LIVE' || (await isToldOf(trx, deptId))) return { unseen: true }
  const userIds = await administrators(trx)
  const content =
    `<p>一级警情 ${no} 已到时限，但没有任何席位显示过它：请确认谁在值班。</p>` +
    `<p>Alarm ${no} of level 1 is due and no desk has shown it yet: see who is on duty.</p>`
  if (userIds.length > 0)
    await publishSystemNotice(trx, { deptId }, { title: TITLE, content, publisherName: null, userIds })
  return { unseen: true }
}
