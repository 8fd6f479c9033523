import type { AnnouncementQuery } from '@tocsin/contract/announcement/announcement'
import { sql, type SqlBool } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'

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
  return found
    .$if(view !== undefined, (q) => q.where(byView(actor, view ?? 'MINE')))
    .$if(!!keyword, (q) => q.where('announcement.title', 'ilike', likePattern(keyword ?? '')))
    .$if(!!state?.length, (q) => q.where('announcement.state', 'in', state ?? []))
    .$if(pinned !== undefined, (q) => q.where('announcement.pinned', '=', pinned ?? false))
    .$if(needsSign !== undefined, (q) => q.where('announcement.needsSign', '=', needsSign ?? false))
    .$if(!!publishedFrom, (q) => q.where('announcement.publishedAt', '>=', publishedFrom ?? new Date()))
    .$if(!!publishedTo, (q) => q.where('announcement.publishedAt', '<=', publishedTo ?? new Date()))
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
  'announcement.audience',
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
const userName = (_all: UnscopedDb, column: 'author_id' | 'reviewer_id') =>
  sql<string>`(select users.nickname from users where users.id = announcement.${sql.raw(column)})`

/** Receipts of the published edition. */
const countReceipts = (condition: 'r.read_at' | 'r.signed_at') => sql<number>`(
  select count(${sql.raw(condition)})::int from announcement_receipt r
  where r.announcement_id = announcement.id and r.edition = announcement.edition)`

export const deptName = sql<string>`(select dept.name from dept where dept.id = announcement.dept_id)`

export const selectAnnouncement = (db: Db, found: Found) => {
  const all = unscoped(db, 'names of people on announcements that the caller sees')
  return found.select([
    ...rowColumns,
    userName(all, 'author_id').as('authorName'),
    deptName.as('deptName'),
    countReceipts('r.read_at').as('readCount'),
    countReceipts('r.signed_at').as('signedCount'),
  ])
}

export const selectReviewerName = (db: Db) =>
  userName(unscoped(db, 'names of people on announcements that the caller sees'), 'reviewer_id').$castTo<
    string | null
  >()

/** Latest first: by publication, else by planned publication, else by the last change. */
export const latestFirst = <Q extends ReturnType<typeof selectAnnouncement>>(found: Q) =>
  found
    .orderBy(sql`coalesce(announcement.published_at, announcement.publish_at, announcement.create_time)`, 'desc')
    .orderBy('announcement.id', 'desc')
