import type { AnnouncementQuery } from '@tocsin/contract/announcement/announcement'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'
import { isAddressedByRow, reachesDept, reachesSchool } from './scope.ts'

export type StoredAnnouncement = Row<'announcement'>

export const isValidNow = sql<SqlBool>`(announcement.valid_until is null or announcement.valid_until > now())`

/** Announcements written by visible departments. */
export const visibleAnnouncements = (db: Db, actor: Actor) => scoped(db, actor).selectFrom('announcement')

type Found = ReturnType<typeof visibleAnnouncements>

const byView = ({ userId }: Actor, view: NonNullable<AnnouncementQuery['view']>) =>
  ({
    MINE: sql<SqlBool>`${userId} in (announcement.author_id, announcement.text_by)`,
    TO_REVIEW: sql<SqlBool>`((announcement.state = 'PENDING_REVIEW' or announcement.revision_state = 'PENDING_REVIEW')
      and announcement.author_id <> ${userId} and announcement.text_by <> ${userId}
      and ${userId} <> all (announcement.writer_ids)
      and announcement.submitted_by is distinct from ${userId})`,
  })[view]

export const filterAnnouncements = (found: Found, actor: Actor, query: AnnouncementQuery): Found => {
  const { view, keyword, state, pinned, needsSign, publishedFrom, publishedTo } = query
  const { target, reachesDeptId, reachesSchoolId } = query
  return found
    .$if(view !== undefined, (q) => q.where(byView(actor, view ?? 'MINE')))
    .$if(!!keyword, (q) => q.where('announcement.title', 'ilike', likePattern(keyword ?? '')))
    .$if(!!state?.length, (q) => q.where('announcement.state', 'in', state ?? []))
    .$if(pinned !== undefined, (q) => q.where('announcement.pinned', '=', pinned ?? false))
    .$if(needsSign !== undefined, (q) => q.where('announcement.needsSign', '=', needsSign ?? false))
    .$if(!!publishedFrom, (q) => q.where('announcement.publishedAt', '>=', publishedFrom ?? new Date()))
    .$if(!!publishedTo, (q) => q.where('announcement.publishedAt', '<=', publishedTo ?? new Date()))
    .$if(!!target?.length, (q) => q.where('announcement.target', 'in', target ?? []))
    .$if(reachesDeptId !== undefined, (q) => q.where(reachesDept(sql`${reachesDeptId}::bigint`)))
    .$if(reachesSchoolId !== undefined, (q) => q.where(reachesSchool(reachesSchoolId ?? 0)))
}

export const rowColumns = [
  'announcement.id',
  'announcement.title',
  'announcement.pinned',
  'announcement.needsSign',
  'announcement.target',
  'announcement.deptIds',
  'announcement.schoolIds',
  'announcement.roleIds',
  'announcement.deptId',
  'announcement.authorId',
  'announcement.textBy',
  'announcement.writerIds',
  'announcement.submittedBy',
  'announcement.reviewerId',
  'announcement.state',
  'announcement.publishAt',
  'announcement.publishedAt',
  'announcement.validUntil',
  'announcement.edition',
  'announcement.remindedAt',
  'announcement.withdrawReason',
  'announcement.revisionState',
  'announcement.version',
  'announcement.createTime',
  'announcement.creator',
  'announcement.updateTime',
  'announcement.updater',
] as const

/** The subquery has no limit of its own: the handle proves that its caller stated why. */
const userName = (_all: UnscopedDb, userId: RawBuilder<number>) =>
  sql<string>`(select users.nickname from users where users.id = ${userId})`

/**
 * The people whom an announcement addresses now and the user sees, with their receipts of the published edition: the
 * same people as in its receipts, so that no more can have read it than are addressed.
 */
const countReceipts = (db: Db, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('users')
    .leftJoin('announcementReceipt as receipt', (on) =>
      on
        .onRef('receipt.userId', '=', 'users.id')
        .on(sql<SqlBool>`receipt.announcement_id = announcement.id and receipt.edition = announcement.edition`),
    )
    .where(sql<SqlBool>`announcement.edition > 0`)
    .where(isAddressedByRow)
    .select([
      sql<number>`count(*)::int`.as('audience'),
      sql<number>`count(receipt.read_at)::int`.as('readCount'),
      sql<number>`count(receipt.signed_at)::int`.as('signedCount'),
    ])
    .as('counted')

export const deptName = sql<string>`(select dept.name from dept where dept.id = announcement.dept_id)`

export const selectAnnouncement = (db: Db, actor: Actor, found: Found) => {
  const all = unscoped(db, 'names of people on announcements that the caller sees')
  return found
    .innerJoinLateral(countReceipts(db, actor), (on) => on.onTrue())
    .select([
      ...rowColumns,
      userName(all, sql`announcement.author_id`).as('authorName'),
      deptName.as('deptName'),
      'counted.audience',
      'counted.readCount',
      'counted.signedCount',
    ])
}

/** Who reviewed what readers see: a revision that is being written has no reviewer yet. */
export const selectReviewerName = (db: Db) =>
  userName(
    unscoped(db, 'names of people on announcements that the caller sees'),
    sql`coalesce((
      select e.reviewed_by from announcement_edition e
      where e.announcement_id = announcement.id and e.edition = announcement.edition), announcement.reviewer_id)`,
  ).$castTo<string | null>()

const publication = sql`coalesce(announcement.published_at, announcement.publish_at, announcement.create_time)`

const order: ListOrder<AnnouncementQuery> = {
  columns: {
    title: { by: sql`announcement.title` },
    publishedAt: { by: sql`announcement.published_at`, nullable: true },
    validUntil: { by: sql`announcement.valid_until`, nullable: true },
  },
  usual: sql`${publication} desc, announcement.id desc`,
  id: sql`announcement.id`,
}

/** As chosen; else latest first: by publication, else by planned publication, else by the last change. */
export const sortAnnouncements = (found: Found, orderBy: AnnouncementQuery['orderBy']): Found =>
  found.orderBy(toOrderBy(orderBy, order))
