import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import type { MyNoticeQuery, MyNoticeRow } from '@tocsin/contract/notices/notice'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { withImageLinks } from './content.ts'

/** Addressed to this user: to all, to the user, or to the user's department or one above it. */
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
  unscoped(db, 'a notice is seen by whom it names')
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

const order: ListOrder<MyNoticeQuery> = {
  columns: {
    title: { by: sql`notice.title` },
    publishedAt: { by: sql`notice.published_at`, nullable: true },
  },
  usual: sql`notice.published_at desc, notice.id desc`,
  id: sql`notice.id`,
}

export const inboxPage = async (db: Db, actor: Actor, query: MyNoticeQuery): Promise<Page<MyNoticeRow>> => {
  const { title, isRead, publishedAt } = query
  const { limit, offset } = toOffsetLimit(query)
  const hits = received(db, actor)
    .$if(!!title, (q) => q.where('notice.title', 'ilike', likePattern(title ?? '')))
    .$if(!!publishedAt, (q) =>
      q.where(sql<boolean>`notice.published_at between ${publishedAt?.[0]} and ${publishedAt?.[1]}`),
    )
    .$if(isRead !== undefined, (q) => q.where('receipt.readAt', isRead ? 'is not' : 'is', null))
  const list = await hits.select(columns).orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute()
  return { list, ...(await countCapped(db, hits.select('notice.id'))) }
}

export const getInboxNotice = async (db: Db, actor: Actor, id: number): Promise<MyNoticeRow & { content: string }> => {
  const row = await received(db, actor)
    .select(columns)
    .select('notice.content')
    .where('notice.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.noticeMissing)
  return { ...row, content: withImageLinks(row.content, actor) }
}

export const unreadCount = async (db: Db, actor: Actor): Promise<number> =>
  (await countCapped(db, received(db, actor).select('notice.id').where('receipt.readAt', 'is', null))).total

/** Marks these notices, or all, as read by the user; other users' notices are skipped. The first time counts. */
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
