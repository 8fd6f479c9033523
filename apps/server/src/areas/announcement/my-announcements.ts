import type {
  MyAnnouncementDetail,
  MyAnnouncementQuery,
  MyAnnouncementRow,
} from '@tocsin/contract/announcement/announcement'
import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import { sql, type SqlBool } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { runEdit } from '#areas/audit/edit-transaction'
import { listAttachments } from '#areas/files/attachment'
import { withImageLinks } from '#areas/notices/content'
import { recordReceipt } from '#areas/notify/receipt'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { OWNER, requireAnnouncement } from './announcement-change.ts'
import { deptName, isValidNow } from './announcement-rows.ts'
import { readState } from './receipts.ts'
import { isToMe } from './scope.ts'
import { markChanges } from './text-blocks.ts'

/**
 * Published announcements to the user, with the receipt of the edition. One past its validity is gone, also before the
 * timer has ended it.
 */
const received = (db: Db, actor: Actor) =>
  unscoped(db, 'an announcement is seen by those whom its scope names')
    .selectFrom('announcement')
    .leftJoin('announcementReceipt as receipt', (on) =>
      on
        .onRef('receipt.announcementId', '=', 'announcement.id')
        .onRef('receipt.edition', '=', 'announcement.edition')
        .on('receipt.userId', '=', actor.userId),
    )
    .where('announcement.state', '=', 'PUBLISHED')
    .where(isValidNow)
    .where(isToMe(actor))

const mine = ({ userId }: Actor) =>
  readState(sql<number>`announcement.id`, sql<number>`announcement.edition`, sql<number>`${userId}`)

const columns = [
  'announcement.id',
  'announcement.title',
  'announcement.pinned',
  'announcement.needsSign',
  'announcement.publishedAt',
  'announcement.validUntil',
  'announcement.edition',
] as const

const order: ListOrder<MyAnnouncementQuery> = {
  columns: {
    title: { by: sql`announcement.title` },
    publishedAt: { by: sql`announcement.published_at`, nullable: true },
    validUntil: { by: sql`announcement.valid_until`, nullable: true },
  },
  usual: sql`announcement.pinned desc, announcement.published_at desc, announcement.id desc`,
  id: sql`announcement.id`,
}

export const myAnnouncementPage = async (
  db: Db,
  actor: Actor,
  query: MyAnnouncementQuery,
): Promise<Page<MyAnnouncementRow>> => {
  const { keyword, unread, unsigned } = query
  const { limit, offset } = toOffsetLimit(query)
  const toSign = sql<SqlBool>`(announcement.needs_sign and receipt.signed_at is null)`
  const found = received(db, actor)
    .$if(!!keyword, (q) => q.where('announcement.title', 'ilike', likePattern(keyword ?? '')))
    .$if(unread !== undefined, (q) => q.where('receipt.readAt', unread ? 'is' : 'is not', null))
    .$if(unsigned !== undefined, (q) => q.where(unsigned ? toSign : sql<SqlBool>`not ${toSign}`))
  const [list, total] = await Promise.all([
    found
      .select([...columns, deptName.as('deptName'), mine(actor).as('readState')])
      .orderBy(toOrderBy(query.orderBy, order))
      .limit(limit)
      .offset(offset)
      .execute(),
    countCapped(db, found.select('announcement.id')),
  ])
  return { list, ...total }
}

/** The last earlier edition that the user read. */
const findReadBefore = (db: Db, { userId }: Actor, id: number, edition: number) =>
  db
    .selectFrom('announcementReceipt as receipt')
    .innerJoin('announcementEdition as old', (on) =>
      on.onRef('old.announcementId', '=', 'receipt.announcementId').onRef('old.edition', '=', 'receipt.edition'),
    )
    .select(['old.title', 'old.content'])
    .where('receipt.announcementId', '=', id)
    .where('receipt.userId', '=', userId)
    .where('receipt.edition', '<', edition)
    .orderBy('receipt.edition', 'desc')
    .limit(1)
    .executeTakeFirst()

export const getMyAnnouncement = async (db: Db, actor: Actor, id: number): Promise<MyAnnouncementDetail> => {
  const { content, ...row } = requireAnnouncement(
    await received(db, actor)
      .select([
        ...columns,
        'announcement.content',
        deptName.as('deptName'),
        mine(actor).as('readState'),
        'receipt.readAt',
        'receipt.signedAt',
      ])
      .where('announcement.id', '=', id)
      .executeTakeFirst(),
  )
  const before = await findReadBefore(db, actor, id, row.edition)
  const { blocks, changeCount } = markChanges(before?.content ?? content, content)
  return {
    ...row,
    blocks: blocks.map(({ html, isChanged }) => ({ html: withImageLinks(html, actor), isChanged })),
    changeCount: before ? changeCount + Number(before.title !== row.title) : null,
    attachments: (await listAttachments(db, actor, OWNER, [id]))(id),
  }
}

type Read = { id: number; edition: number }

/** The published edition, which must be the one that the reader sees. */
const requireEdition = async (trx: Db, actor: Actor, { id, edition }: Read) => {
  const row = requireAnnouncement(
    await received(trx, actor)
      .select(['announcement.edition', 'announcement.needsSign', 'announcement.deptId', 'announcement.authorId'])
      .where('announcement.id', '=', id)
      .executeTakeFirst(),
  )
  if (row.edition !== edition) throw new BusinessError(codes.announcementChanged)
  return row
}

/** The unread reminders of it in the user's inbox. */
const closeReminders = async (db: Db, actor: Actor, id: number): Promise<void> => {
  const open = await scoped(db, actor)
    .selectFrom('delivery')
    .select('id')
    .where('subjectType', '=', 'ANNOUNCEMENT')
    .where('subjectId', '=', id)
    .where('userId', '=', actor.userId)
    .where('endedAt', 'is', null)
    .execute()
  if (open.length === 0) return
  await recordReceipt(
    db,
    actor,
    open.map((row) => row.id),
    'read',
  )
}

export const readAnnouncement = async (db: Db, actor: Actor, read: Read): Promise<true> => {
  await requireEdition(db, actor, read)
  await db
    .insertInto('announcementReceipt')
    .values({ announcementId: read.id, userId: actor.userId, edition: read.edition })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await closeReminders(db, actor, read.id)
  return true
}

/** A confirmation counts as reading too. */
export const signAnnouncement = async (db: Db, read: Read, caller: Caller): Promise<true> => {
  const { id, edition } = read
  const { userId } = caller.actor
  await runEdit(db, { userId }, async (trx): Promise<true> => {
    const { needsSign, deptId, authorId } = await requireEdition(trx, caller.actor, read)
    if (!needsSign) throw new BusinessError(codes.announcementNoSign)
    const { signedAt } = await trx
      .insertInto('announcementReceipt')
      .values({ announcementId: id, userId, edition, signedAt: sql<Date>`now()` })
      .onConflict((conflict) =>
        conflict.columns(['announcementId', 'userId', 'edition']).doUpdateSet({
          // The first confirmation counts.
          signedAt: sql<Date>`coalesce(announcement_receipt.signed_at, excluded.signed_at)`,
        }),
      )
      .returning('signedAt')
      .executeTakeFirstOrThrow()
    await writeAudit(trx, {
      ...caller,
      action: 'announcement:announcement:sign',
      subject: 'announcement',
      subjectId: id,
      after: { edition, signedAt: signedAt?.getTime() ?? null },
    })
    await emitEvents(trx, { type: 'announcement.changed', ref: id, deptId, userId: authorId })
    return true
  })
  await closeReminders(db, caller.actor, id)
  return true
}
