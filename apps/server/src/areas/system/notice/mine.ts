import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import type { MyNoticeQuery, MyNoticeRow } from '@tocsin/contract/system/notice'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { everything } from '#db/scope'
import { Refusal } from '#http/refusal'
import type { Actor } from '#http/route'
import { pageOf } from '#http/window'
import { withLinks } from './content.ts'

/** To this person: to all, to him, or to his department or one above it. */
const toMe = ({ userId, deptId }: Actor) => sql<boolean>`(
  notice.target = 'ALL'
  or exists (select from notice_user nu where nu.notice_id = notice.id and nu.user_id = ${userId})
  or exists (
    select from notice_dept nd where nd.notice_id = notice.id and nd.dept_id in (
      with recursive above as (
        select id, parent_id from dept where id = ${deptId}
        union
        select d.id, d.parent_id from dept d join above on d.id = above.parent_id
      )
      select id from above
    )
  )
)`

const received = (db: Db, actor: Actor) =>
  everything(db, 'a notice is seen by whom it names')
    .selectFrom('notice')
    .leftJoin('noticeReceipt as receipt', (on) =>
      on.onRef('receipt.noticeId', '=', 'notice.id').on('receipt.userId', '=', actor.userId),
    )
    .where('notice.state', '=', 'PUBLISHED')
    .where(toMe(actor))

const columns = [
  'notice.id',
  'notice.title',
  'notice.type',
  'notice.level',
  'notice.publisherName',
  'notice.publishedAt',
  'receipt.readAt',
  'notice.jobId',
] as const

export const myPage = async (db: Db, actor: Actor, query: MyNoticeQuery): Promise<Page<MyNoticeRow>> => {
  const { title, isRead, publishedAt } = query
  const { limit, offset } = pageOf(query)
  const hits = received(db, actor)
    .$if(!!title, (q) => q.where('notice.title', 'ilike', like(title ?? '')))
    .$if(!!publishedAt, (q) =>
      q.where(sql<boolean>`notice.published_at between ${publishedAt?.[0]} and ${publishedAt?.[1]}`),
    )
    .$if(isRead !== undefined, (q) => q.where('receipt.readAt', isRead ? 'is not' : 'is', null))
  const list = await hits
    .select(columns)
    .orderBy('notice.publishedAt', 'desc')
    .orderBy('notice.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { list, ...(await countUpTo(db, hits.select('notice.id'))) }
}

export const myNotice = async (db: Db, actor: Actor, id: number): Promise<MyNoticeRow & { content: string }> => {
  const row = await received(db, actor)
    .select(columns)
    .select('notice.content')
    .where('notice.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal(codes.noticeMissing)
  return { ...row, content: withLinks(row.content, actor) }
}

export const unreadCount = async (db: Db, actor: Actor): Promise<number> =>
  (await countUpTo(db, received(db, actor).select('notice.id').where('receipt.readAt', 'is', null))).total

/** Notes that the person read these, or all; what is not to him is passed over. The first time counts. */
export const markRead = async (db: Db, actor: Actor, ids: readonly number[] | 'all'): Promise<true> => {
  const unread = received(db, actor)
    .where('receipt.readAt', 'is', null)
    .$if(ids !== 'all', (q) => q.where('notice.id', 'in', ids === 'all' ? [] : ids))
    .select((eb) => ['notice.id as noticeId', eb.val(actor.userId).as('userId')])
  await db
    .insertInto('noticeReceipt')
    .columns(['noticeId', 'userId'])
    .expression(unread)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
