import {
  type ReadState,
  type ReceiptQuery,
  ReceiptRow,
  type ReceiptSummary,
} from '@tocsin/contract/announcement/announcement'
import { announcementReceipts, announcements } from '@tocsin/contract/announcement/announcement-calls'
import { announcementLabel } from '@tocsin/contract/announcement/announcement-labels'
import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import { zone } from '@tocsin/contract/time-zone'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { checkVersion, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { planDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import {
  auditAnnouncement,
  emitAnnouncementChanged,
  lockVisible,
  type VersionedId,
  requireAnnouncement,
  updateAnnouncement,
  writeAnnouncementLog,
} from './announcement-change.ts'
import { type StoredAnnouncement, visibleAnnouncements } from './announcement-rows.ts'
import { addressedUsers, isAddressed } from './scope.ts'

type Published = Pick<StoredAnnouncement, 'id' | 'edition' | 'target' | 'deptIds' | 'schoolIds' | 'roleIds'>

const findPublished = async (db: Db, actor: Actor, id: number): Promise<Published> =>
  requireAnnouncement(
    await visibleAnnouncements(db, actor)
      .select(['id', 'edition', 'target', 'deptIds', 'schoolIds', 'roleIds'])
      .where('announcement.id', '=', id)
      .executeTakeFirst(),
  )

/** The read state of the edition, of a receipt joined as `receipt`. */
export const readState = (
  announcementId: RawBuilder<number>,
  edition: RawBuilder<number>,
  userId: RawBuilder<number>,
) => sql<ReadState>`case
  when receipt.signed_at is not null then 'SIGNED'
  when receipt.read_at is not null then 'READ'
  when exists (select from announcement_receipt old where old.announcement_id = ${announcementId}
    and old.user_id = ${userId} and old.edition < ${edition}) then 'CHANGED'
  else 'UNREAD' end`

const ofUser = ({ id, edition }: Published) =>
  readState(sql<number>`${id}`, sql<number>`${edition}`, sql<number>`users.id`)

/** Visible recipients, each with the receipt of the published edition. */
const addressedInSight = (db: Db, actor: Actor, published: Published) =>
  scoped(db, actor)
    .selectFrom('users')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .leftJoin('announcementReceipt as receipt', (on) =>
      on
        .onRef('receipt.userId', '=', 'users.id')
        .on('receipt.announcementId', '=', published.id)
        .on('receipt.edition', '=', published.edition),
    )
    .where(isAddressed(published))

const filterReceipts = (db: Db, actor: Actor, published: Published, { readState: states, keyword }: ReceiptQuery) => {
  const text = likePattern(keyword ?? '')
  return addressedInSight(db, actor, published)
    .$if(!!states?.length, (q) => q.where(sql<SqlBool>`${ofUser(published)} = any(${states ?? []})`))
    .$if(!!keyword, (q) =>
      q.where((eb) => eb.or([eb('users.nickname', 'ilike', text), eb('dept.name', 'ilike', text)])),
    )
}

/** Unread first, then by department and name. */
const usualOrder = (published: Published) =>
  sql`array_position(array['UNREAD', 'CHANGED', 'READ', 'SIGNED'], ${ofUser(published)}), dept.name, users.nickname, users.id`

const columns: ListOrder<ReceiptQuery>['columns'] = {
  nickname: { by: sql`users.nickname` },
  deptName: { by: sql`dept.name` },
  readAt: { by: sql`receipt.read_at`, nullable: true },
  signedAt: { by: sql`receipt.signed_at`, nullable: true },
}

const selectReceipts = (db: Db, actor: Actor, published: Published, query: ReceiptQuery) =>
  filterReceipts(db, actor, published, query)
    .select([
      'users.id as userId',
      'users.nickname',
      'dept.name as deptName',
      ofUser(published).as('readState'),
      'receipt.readAt',
      'receipt.signedAt',
    ])
    .orderBy(toOrderBy(query.orderBy, { columns, usual: usualOrder(published), id: sql`users.id` }))

export const receiptPage = async (db: Db, actor: Actor, query: ReceiptQuery): Promise<Page<ReceiptRow>> => {
  const published = await findPublished(db, actor, query.id)
  const { limit, offset } = toOffsetLimit(query)
  const [list, total] = await Promise.all([
    selectReceipts(db, actor, published, query).limit(limit).offset(offset).execute(),
    countCapped(db, filterReceipts(db, actor, published, query).select('users.id')),
  ])
  return { list, ...total }
}

/** By department, those with most unread first; invisible people are not counted. */
export const receiptSummary = async (db: Db, actor: Actor, id: number): Promise<ReceiptSummary[]> => {
  const published = await findPublished(db, actor, id)
  return addressedInSight(db, actor, published)
    .select([
      'dept.id as deptId',
      'dept.name as deptName',
      sql<number>`count(*)::int`.as('people'),
      sql<number>`count(receipt.read_at)::int`.as('read'),
      sql<number>`count(receipt.signed_at)::int`.as('signed'),
    ])
    .groupBy(['dept.id', 'dept.name'])
    .orderBy(sql`count(*) - count(receipt.read_at)`, 'desc')
    .orderBy('dept.name')
    .orderBy('dept.id')
    .execute()
}

export const receiptExport: Exporter<ReceiptQuery & ExportOptions, ReceiptRow> = {
  endpoints: announcementReceipts,
  subject: 'announcement_receipt',
  name: '公告回执',
  nameEn: 'Receipts of an announcement',
  columns: async (_db, lang) => [
    sheetColumn(ReceiptRow, 'deptName', { width: 24 }),
    sheetColumn(ReceiptRow, 'nickname'),
    sheetColumn(ReceiptRow, 'readState', { cell: (state) => announcementLabel('readState', state, lang) }),
    sheetColumn(ReceiptRow, 'readAt'),
    sheetColumn(ReceiptRow, 'signedAt'),
  ],
  rows: async (db, actor, query) =>
    selectReceipts(db, actor, await findPublished(db, actor, query.id), query) as unknown as RowsQuery<ReceiptRow>,
}

/** Deliveries are written in batches: each row has many parameters. */
const BATCH = 500

/** Recipients who have not read it, or not confirmed it when required. */
const listOpen = (trx: Db, row: StoredAnnouncement) =>
  addressedUsers(trx, row)
    .select('users.id')
    .where(
      sql<SqlBool>`not exists (select from announcement_receipt r where r.announcement_id = ${row.id}
        and r.user_id = users.id and r.edition = ${row.edition} and (${!row.needsSign} or r.signed_at is not null))`,
    )
    .orderBy('users.id')
    .execute()

const isRemindedToday = async (trx: Db, { remindedAt }: StoredAnnouncement): Promise<boolean> => {
  if (!remindedAt) return false
  const { rows } = await sql<{ today: boolean }>`
    select (${remindedAt}::timestamptz at time zone ${zone.name})::date = (now() at time zone ${zone.name})::date as today`.execute(
    trx,
  )
  return rows[0]?.today ?? false
}

/** Reminds all recipients who have not finished with it, once a day. @returns how many got the reminder. */
export const remindReaders = (db: Db, { id, version }: VersionedId, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const before = await lockVisible(trx, caller.actor, id)
    await checkVersion(version, before, () => toAuditState(before))
    if (before.state !== 'PUBLISHED') throw new BusinessError(codes.announcementState, { state: before.state })
    // Its timer is about to end it, and readers no longer see it.
    if (before.validUntil && before.validUntil <= new Date())
      throw new BusinessError(codes.announcementState, { state: 'EXPIRED' })
    if (await isRemindedToday(trx, before)) throw new BusinessError(codes.announcementReminded)
    const open = (await listOpen(trx, before)).map((user) => user.id)
    if (open.length === 0) throw new BusinessError(codes.announcementAllRead)
    const after = await updateAnnouncement(trx, caller, id, { remindedAt: sql<Date>`now()` as unknown as Date })
    let reminded = 0
    for (let from = 0; from < open.length; from += BATCH)
      reminded += await planDeliveries(trx, {
        subject: { type: 'ANNOUNCEMENT', id },
        schoolId: null,
        deptId: before.deptId,
        level: 4,
        title: '请阅读公告 · Please read',
        body: before.title,
        link: `/announcement/read/${id}`,
        userIds: open.slice(from, from + BATCH),
        channels: ['INAPP'],
      })
    await writeAnnouncementLog(trx, caller, after, { verb: 'remind', text: String(reminded) })
    await auditAnnouncement(trx, caller, { action: announcements.remind.permission, before, after })
    await emitAnnouncementChanged(trx, after)
    return reminded
  })
