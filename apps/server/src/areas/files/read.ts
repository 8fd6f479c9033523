import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import {
  type FileLink,
  type StoredFileInfo,
  type FileQuery,
  type FileGroup,
  type FileRow,
} from '@tocsin/contract/files/file'
import { type SqlBool, sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type FileResponse, hasPermission } from '#http/route'
import { loadActor } from '#http/session-auth'
import { toOffsetLimit } from '#http/time-window'
import { DEVICE_READER, getFileStore, fileLink, verifyFileLink } from './file-store.ts'

/** Whether a row refers to the file; add new referring columns here. */
export const isReferenced = sql<boolean>`(
  exists (select from file_use where file_use.file_id = file.id)
  or exists (select from attachment where attachment.file_id = file.id)
  or exists (select from floor_plan where floor_plan.file_id = file.id)
  or exists (select from users where users.avatar_id = file.id)
)`

const rows = (db: AllTablesDb) =>
  db
    .selectFrom('file')
    .select([
      'id',
      'name',
      'type',
      'size',
      'purpose',
      'ownerId',
      'ownerName',
      'needs',
      'sight',
      'createdAt',
      'expiresAt',
    ])
    .select(isReferenced.as('used'))

/** Spreadsheets of imports and exports contain unmasked data that their owner may see: other users cannot read them. */
export const readable = ({ userId }: Actor) =>
  sql<SqlBool>`(file.purpose not in ('IMPORT', 'EXPORT') or file.owner_id = ${userId})`

/** Readers of the operation log may also know that such a file exists. */
const AUDIT = 'system:operate-log:query'
const known = (actor: Actor) => (hasPermission(actor)(AUDIT) ? sql<SqlBool>`true` : readable(actor))

type Bounds = Pick<Row<'file'>, 'needs' | 'sight'>
type Seen = NonNullable<Bounds['sight']>['depts']

const covers = (seen: Seen, kept: Seen): boolean => {
  if (seen === 'all' || kept === 'all') return seen === 'all'
  const ids = new Set(seen)
  return kept.every((id) => ids.has(id))
}

/** Whether this user still has the permissions and sees the subjects that the file was written with. */
export const canReadFile = (actor: Actor, { needs, sight }: Bounds): boolean =>
  needs.every(hasPermission(actor)) &&
  (!sight || (covers(actor.depts, sight.depts) && covers(actor.schools, sight.schools)))

type Found = Omit<FileRow, 'url'> & Bounds
const shown = ({ needs, sight, ...row }: Found, actor: Actor): FileRow => {
  const { userId } = actor
  const another = (row.purpose === 'IMPORT' || row.purpose === 'EXPORT') && row.ownerId !== userId
  return { ...row, url: another || !canReadFile(actor, { needs, sight }) ? null : fileLink(row.id, userId) }
}

const groups: Record<FileGroup, string> = {
  IMAGE: "type like 'image/%'",
  DOCUMENT: "(type like 'application/%' and type <> 'application/zip' or type = 'text/plain')",
  MEDIA: "(type like 'audio/%' or type like 'video/%')",
  OTHER: "type = 'application/zip'",
}
const inGroups = (wanted: readonly FileGroup[]) =>
  sql<SqlBool>`(${sql.join(
    wanted.map((group) => sql.raw(groups[group])),
    sql` or `,
  )})`

const order: ListOrder<FileQuery> = {
  columns: {
    name: { by: sql`name` },
    size: { by: sql`size` },
    ownerName: { by: sql`owner_name` },
    createdAt: { by: sql`created_at` },
  },
  usual: sql`id desc`,
  id: sql`id`,
}

export const filePage = async (db: Db, actor: Actor, query: FileQuery): Promise<Page<FileRow>> => {
  const { name, ownerName, group, purpose, from, to } = query
  const { limit, offset } = toOffsetLimit(query)
  const hits = rows(scoped(db, actor))
    .where(known(actor))
    .$if(!!name, (q) => q.where('name', 'ilike', likePattern(name ?? '')))
    .$if(!!ownerName, (q) => q.where('ownerName', 'ilike', likePattern(ownerName ?? '')))
    .$if(!!group?.length, (q) => q.where(inGroups(group ?? [])))
    .$if(!!purpose?.length, (q) => q.where('purpose', 'in', purpose ?? []))
    .$if(!!from, (q) => q.where('createdAt', '>=', from ?? new Date()))
    .$if(!!to, (q) => q.where('createdAt', '<=', to ?? new Date()))
  const [list, total] = await Promise.all([
    hits.orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
    countCapped(db, hits.clearSelect().select('id')),
  ])
  return { list: list.map((row) => shown(row, actor)), ...total }
}

export const getFile = async (db: Db, actor: Actor, id: number): Promise<FileRow> => {
  const row = await rows(scoped(db, actor)).where('id', '=', id).where(known(actor)).executeTakeFirst()
  if (!row) throw new BusinessError(codes.fileMissing)
  return shown(row, actor)
}

export const toFileResult = ({ id, name, size, type }: Row<'file'>, userId: number): StoredFileInfo => ({
  id,
  name,
  size,
  type,
  url: fileLink(id, userId),
})

/** The user of the token, if the request has one: it must be the user of the link. */
type Holder = () => Promise<number | undefined>

/** A link belongs to a user, in any session. */
const NO_SESSION = 0

/** Whether the user of a link may open the file now. */
const mayOpen = async (db: Db, userId: number, bounds: Bounds): Promise<boolean> => {
  if (bounds.needs.length === 0 && !bounds.sight) return true
  const actor = await loadActor(db, userId, NO_SESSION)
  return !!actor && canReadFile(actor, bounds)
}

/**
 * The file of a link. An image request has no token, so the signature authenticates the user while the account is
 * enabled. A link for devices holds without an account.
 */
export const serveFile = async (db: Db, id: number, link: FileLink, holder: Holder): Promise<FileResponse> => {
  const seconds = verifyFileLink({ id, ...link })
  if (seconds === undefined) throw new BusinessError(codes.fileLink)
  if (seconds === 0) throw new BusinessError(codes.fileLinkOver)
  const asking = await holder()
  if (asking !== undefined && asking !== link.u) throw new BusinessError(codes.fileLink)
  const file = await unscoped(db, 'the signature says who may have this file')
    .selectFrom('file')
    .leftJoin('users', (join) => join.on('users.id', '=', link.u).on('users.enabled', '=', true))
    .select(['file.name', 'file.type', 'file.image', 'file.needs', 'file.sight'])
    .where('file.id', '=', id)
    .$if(link.u !== DEVICE_READER, (q) => q.where('users.id', 'is not', null))
    .where(sql<SqlBool>`(file.expires_at is null or file.expires_at > now())`)
    .executeTakeFirst()
  if (file && !(await mayOpen(db, link.u, file))) throw new BusinessError(codes.exportGone)
  const stream = file && (await getFileStore().store.get(id))
  if (!stream) throw new BusinessError(codes.fileMissing)
  return { name: file.name, type: file.type, stream, inline: file.image, seconds }
}
