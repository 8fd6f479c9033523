import { codes } from '@tocsin/contract/codes'
import type { WallLinkCreated, WallLinkDraft, WallLinkQuery } from '@tocsin/contract/insight/wall'
import type { WallLinkState } from '@tocsin/contract/insight/wall-labels'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { createRow, type EditableTable, lockRow, updateRow } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { hashToken } from '#http/session-auth'
import { toOffsetLimit } from '#http/time-window'

registerConstraintErrors({ wall_link_dept_id_fkey: { code: codes.referred, params: { what: '部门' } } })

const DAY_MS = 86_400_000

export const wallLinkState = sql<WallLinkState>`case
  when wall_link.revoked_at is not null then 'REVOKED' when wall_link.expires_at <= now() then 'EXPIRED'
  else 'ACTIVE' end`

const wallLinkTable: EditableTable<'wallLink'> = {
  table: 'wallLink',
  action: 'insight:wall',
  missing: { ...codes.notFound, zh: '大屏链接不存在', en: 'The wall link does not exist' },
  current: (_trx, row) => row,
}

const order: ListOrder<WallLinkQuery> = {
  columns: {
    name: { by: sql`wall_link.name` },
    expiresAt: { by: sql`wall_link.expires_at` },
    createTime: { by: sql`wall_link.create_time` },
  },
  usual: sql`wall_link.id desc`,
  id: sql`wall_link.id`,
}

export const pageWallLinks = async (db: Db, actor: Actor, query: WallLinkQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const visible = scoped(db, actor)
    .selectFrom('wallLink')
    .select('wallLink.id')
    .$if(!!query.keyword, (q) => q.where(sql<boolean>`position(${query.keyword ?? ''} in wall_link.name) > 0`))
    .$if(query.state !== undefined, (q) => q.where(wallLinkState, '=', query.state ?? 'ACTIVE'))
  const rows = unscoped(db, 'department and creator of visible links')
    .selectFrom('wallLink')
    .innerJoin('dept', 'dept.id', 'wallLink.deptId')
    .leftJoin('users', 'users.id', 'wallLink.creator')
    .leftJoin('wallToken', 'wallToken.linkId', 'wallLink.id')
    .select(['wallLink.id', 'wallLink.name', 'wallLink.deptId', 'wallLink.expiresAt', 'wallLink.revokedAt'])
    .select(['wallLink.version', 'wallLink.createTime', 'dept.name as deptName', 'wallToken.lastUsedAt'])
    .select([wallLinkState.as('state'), sql<string>`coalesce(users.nickname, '')`.as('creatorName')])
    .where('wallLink.id', 'in', visible)
    .orderBy(toOrderBy(query.orderBy, order))
  const [list, total] = await Promise.all([rows.limit(limit).offset(offset).execute(), countCapped(db, visible)])
  return { list, ...total }
}

const assertDeptVisible = async (trx: Db, { depts }: Actor, deptId: number): Promise<void> => {
  const dept = await trx.selectFrom('dept').select('id').where('id', '=', deptId).executeTakeFirst()
  if (!dept || (depts !== 'all' && !depts.includes(deptId))) throw new BusinessError(codes.notFound, { what: '部门' })
}

/** The token leaves the server in this answer only; the database keeps its hash. */
export const createWallLink = (
  db: Db,
  { name, deptId, days }: WallLinkDraft,
  caller: Caller,
): Promise<WallLinkCreated> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await assertDeptVisible(trx, caller.actor, deptId)
    const expiresAt = new Date(Date.now() + days * DAY_MS)
    const { id } = await createRow(trx, caller, wallLinkTable, { name, deptId, expiresAt })
    const token = randomBytes(32).toString('base64url')
    await trx
      .insertInto('wallToken')
      .values({ linkId: id, hash: hashToken(token) })
      .execute()
    return { id, token }
  })

/** A link that was revoked before keeps its first time. */
export const revokeWallLink = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockRow(trx, caller, wallLinkTable, { id })
    const revokedAt = before.revokedAt ?? new Date()
    await updateRow(trx, caller, wallLinkTable, { before, changes: { revokedAt }, verb: 'revoke' })
    return true
  })
