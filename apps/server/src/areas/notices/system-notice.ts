import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { notifyRecipients, saveRecipients } from './recipients.ts'

type Of = { deptId: number } | { jobId: number }
export type SystemNotice = { title: string; content: string; publisherName: string | null; userIds: readonly number[] }

const TITLE = 50

/** The last enabled entry of the dictionary, seeded as "other": users may rename and disable the entries. */
const noticeType = async (trx: Db): Promise<string> => {
  const row = await trx
    .selectFrom('dictData')
    .select('value')
    .where('dictType', '=', 'system_notice_type')
    .where('enabled', '=', true)
    .orderBy('sort', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.value ?? ''
}

/** Creates a notice of the system, in the transaction of its cause; a job has at most one. */
export const publishSystemNotice = async (
  trx: Db,
  of: Of,
  { title, userIds, ...text }: SystemNotice,
): Promise<void> => {
  const notice = await unscoped(trx, 'a notice of the system itself')
    .insertInto('notice')
    .values({
      deptId: null,
      jobId: null,
      ...of,
      ...text,
      title: [...title].slice(0, TITLE).join(''),
      type: await noticeType(trx),
      target: 'USER',
      state: 'PUBLISHED',
      publishedAt: sql<Date>`now()`,
    })
    .onConflict((other) => other.column('jobId').doNothing())
    .returning(['id', 'target'])
    .executeTakeFirst()
  if (!notice) return
  await saveRecipients(trx, notice.id, { target: 'USER', deptIds: [], userIds })
  await notifyRecipients(trx, 'notice.published', notice)
}
