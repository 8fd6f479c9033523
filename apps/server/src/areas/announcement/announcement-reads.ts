import type {
  AnnouncementDetail,
  AnnouncementQuery,
  AnnouncementRow,
  ScopeCount,
  AudienceQuery,
} from '@tocsin/contract/announcement/announcement'
import { announcements } from '@tocsin/contract/announcement/announcement-calls'
import { AnnouncementRow as Row } from '@tocsin/contract/announcement/announcement'
import { announcementLabel } from '@tocsin/contract/announcement/announcement-labels'
import type { Page } from '@tocsin/contract/page'
import { sql } from 'kysely'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { listAttachments } from '#areas/files/attachment'
import { withImageLinks } from '#areas/notices/content'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { OWNER, requireAnnouncement, REVISION_OWNER } from './announcement-change.ts'
import {
  filterAnnouncements,
  selectAnnouncement,
  selectReviewerName,
  sortAnnouncements,
  visibleAnnouncements,
} from './announcement-rows.ts'
import { checkScope, countAudience, type Scope } from './scope.ts'

export const announcementPage = async (
  db: Db,
  actor: Actor,
  query: AnnouncementQuery,
): Promise<Page<AnnouncementRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterAnnouncements(visibleAnnouncements(db, actor), actor, query)
  // Receipts are counted for the rows of the page alone.
  const ids = sortAnnouncements(found, query.orderBy).select('announcement.id').limit(limit).offset(offset)
  const ofPage = visibleAnnouncements(db, actor).where('announcement.id', 'in', ids)
  const [list, total] = await Promise.all([
    selectAnnouncement(db, actor, sortAnnouncements(ofPage, query.orderBy)).execute(),
    countCapped(db, found.select('announcement.id')),
  ])
  return { list, ...total }
}

/** Names from another table; every reader sees the names of departments, schools and roles in a scope. */
const namesOf = async (db: Db, table: 'dept' | 'school' | 'role', ids: readonly number[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(table)} where id = any(${ids}) order by name, id`.execute(db)
  return rows.map(({ name }) => name)
}

const loadLog = (db: Db, announcementId: number) =>
  unscoped(db, 'the announcement is visible')
    .selectFrom('announcementLog')
    .leftJoin('users', 'users.id', 'announcementLog.userId')
    .selectAll('announcementLog')
    .select(['users.nickname as userName', 'users.username as userAccount'])
    .where('announcementId', '=', announcementId)
    .orderBy('announcementLog.id', 'desc')
    .execute()

export const getAnnouncement = async (db: Db, actor: Actor, id: number): Promise<AnnouncementDetail> => {
  const found = visibleAnnouncements(db, actor).where('announcement.id', '=', id)
  const { content, revisionTitle, revisionContent, revisionPinned, revisionValidUntil, ...row } = requireAnnouncement(
    await selectAnnouncement(db, actor, found)
      .select([
        'announcement.content',
        'announcement.revisionTitle',
        'announcement.revisionContent',
        'announcement.revisionPinned',
        'announcement.revisionValidUntil',
        selectReviewerName(db).as('reviewerName'),
      ])
      .executeTakeFirst(),
  )
  const attachments = (await listAttachments(db, actor, OWNER, [id]))(id)
  const ofRevision = (await listAttachments(db, actor, REVISION_OWNER, [id]))(id)
  return {
    ...row,
    content: withImageLinks(content, actor),
    attachments,
    reach: (await countAudience(db, row)).people,
    deptNames: await namesOf(db, 'dept', row.deptIds),
    schoolNames: await namesOf(db, 'school', row.schoolIds),
    roleNames: await namesOf(db, 'role', row.roleIds),
    revision:
      revisionTitle === null || revisionContent === null
        ? null
        : {
            title: revisionTitle,
            content: withImageLinks(revisionContent, actor),
            pinned: revisionPinned ?? false,
            validUntil: revisionValidUntil,
            attachments: ofRevision,
          },
    log: await loadLog(db, id),
  }
}

/** Rejects a scope beyond the visibility of the caller, so that no number tells about other departments. */
export const scopeAudience = async (db: Db, actor: Actor, query: AudienceQuery): Promise<ScopeCount> => {
  const { target, deptIds = [], schoolIds = [], roleIds = [] } = query
  const scope: Scope = { target, deptIds, schoolIds, roleIds }
  await checkScope(db, actor, scope)
  return countAudience(db, scope)
}

export const announcementExport: Exporter<AnnouncementQuery & ExportOptions, AnnouncementRow> = {
  endpoints: announcements,
  subject: 'announcement',
  name: '公告',
  nameEn: 'Announcements',
  columns: async (_db, lang) => [
    sheetColumn(Row, 'title', { width: 36 }),
    sheetColumn(Row, 'target', { cell: (value) => announcementLabel('announcementTarget', value, lang) }),
    sheetColumn(Row, 'deptName', { width: 20 }),
    sheetColumn(Row, 'authorName'),
    sheetColumn(Row, 'pinned'),
    sheetColumn(Row, 'state', { cell: (state) => announcementLabel('announcementState', state, lang) }),
    sheetColumn(Row, 'publishedAt'),
    sheetColumn(Row, 'validUntil'),
    sheetColumn(Row, 'edition'),
    sheetColumn(Row, 'audience'),
    sheetColumn(Row, 'readCount'),
    sheetColumn(Row, 'signedCount'),
  ],
  rows: (db, actor, query) =>
    selectAnnouncement(
      db,
      actor,
      sortAnnouncements(filterAnnouncements(visibleAnnouncements(db, actor), actor, query), query.orderBy),
    ) as unknown as RowsQuery<AnnouncementRow>,
}
