import { codes } from '@tocsin/contract/codes'
import { type DeptQuery, type DeptRow, depts } from '@tocsin/contract/access/dept'
import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import { maskEmail, maskPhone } from '@tocsin/contract/access/user-contact'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'
import { checkPersonalVersion } from '#areas/audit/edit-transaction'

/** Departments that the actor can see. The table has no visibility columns, because visibility is derived from it. */
const seen = (db: Db, { depts }: Actor) =>
  db.selectFrom('dept').$if(depts !== 'all', (q) => q.where('id', 'in', depts === 'all' ? [] : [0, ...depts]))

const columns = [
  'id',
  'name',
  'nameEn',
  'code',
  'parentId',
  'kind',
  'sort',
  'leaderUserId',
  'phone',
  'email',
  'enabled as status',
  'createTime',
  'version',
] as const

const leaderName = (db: Db, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('users')
    .select('users.nickname')
    .where('users.id', '=', sql<number>`dept.leader_user_id`)
    .as('leaderName')

type Contact = Pick<DeptRow, 'phone' | 'email'>

/** The columns shown without a further permission. */
export const maskDeptContact = ({ phone, email }: Contact): Contact => ({
  phone: phone && maskPhone(phone),
  email: email && maskEmail(email),
})

/** A row as this reader receives it. */
const masked = (actor: Actor, row: DeptRow): DeptRow =>
  hasPermission(actor)(REVEAL_PERMISSION) ? row : { ...row, ...maskDeptContact(row) }

/** `/api/v1` has one keyword for name and code (wire 3.12). */
type Filter = DeptQuery & { keywords?: string | undefined }

/** All matches without paging: the screen draws the tree. The parent of a match may be missing. */
export const deptList = async (db: Db, { name, status, keywords }: Filter, actor: Actor): Promise<DeptRow[]> => {
  const rows = await seen(db, actor)
    .select(columns)
    .select(leaderName(db, actor))
    .$if(!!name, (q) =>
      q.where((on) => on.or((['name', 'nameEn'] as const).map((of) => on(of, 'ilike', likePattern(name ?? ''))))),
    )
    .$if(!!keywords, (q) =>
      q.where((on) => on.or((['name', 'code'] as const).map((of) => on(of, 'ilike', likePattern(keywords ?? ''))))),
    )
    .$if(status !== undefined, (q) => q.where('enabled', '=', status ?? true))
    .orderBy('sort')
    .orderBy('id')
    .limit(50_000)
    .execute()
  return rows.map((row) => masked(actor, row))
}

export const getDept = async (db: Db, id: number, actor: Actor): Promise<DeptRow> => {
  const row = await seen(db, actor)
    .select(columns)
    .select(leaderName(db, actor))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.deptMissing)
  return masked(actor, row)
}

/** Rejects an edit of a stale version, with the current row. */
export const checkDeptVersion = checkPersonalVersion({ subject: 'dept', get: depts.get, read: getDept })

export const deptOptions = (db: Db, actor: Actor) =>
  seen(db, actor)
    .select(['id', 'name', 'nameEn', 'parentId'])
    .where('enabled', '=', true)
    .orderBy('sort')
    .orderBy('id')
    .limit(50_000)
    .execute()
