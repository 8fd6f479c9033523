import type { Page } from '@tocsin/contract/page'
import type { NoticeReader, NoticeReaderQuery } from '@tocsin/contract/notices/notice'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { noticeEntity } from './notice.ts'
import { isRecipient } from './recipients.ts'

/** The receivers of a visible notice with their read marks; invisible users are neither listed nor counted. */
export const noticeReaders = async (db: Db, actor: Actor, query: NoticeReaderQuery): Promise<Page<NoticeReader>> => {
  const { id, isRead } = query
  const { limit, offset } = toOffsetLimit(query)
  const notice = await noticeEntity.get(db, actor, id)
  const hits = scoped(db, actor)
    .selectFrom('users')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .leftJoin('noticeReceipt as receipt', (on) =>
      on.onRef('receipt.userId', '=', 'users.id').on('receipt.noticeId', '=', id),
    )
    .where(isRecipient(notice))
    .$if(isRead !== undefined, (q) => q.where('receipt.readAt', isRead ? 'is not' : 'is', null))
  const list = await hits
    .select(['users.id as userId', 'users.nickname', 'dept.name as deptName', 'receipt.readAt'])
    .orderBy('dept.name')
    .orderBy('users.nickname')
    .orderBy('users.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { list, ...(await countCapped(db, hits.select('users.id'))) }
}
