import { codes } from '@tocsin/contract/codes'
import {
  type MerchantUserDraft,
  type MerchantUserQuery,
  MerchantUserRow,
  merchantUsers,
  REVEAL_PERMISSION,
} from '@tocsin/contract/access/user'
import type { Lang } from '@tocsin/contract/field'
import { sql } from 'kysely'
import { registerConstraintErrors } from '#db/constraint-error'
import type { AllTablesDb, Db } from '#db/db'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { type SheetColumn, sheetColumn } from '#spreadsheet/column'
import { toOffsetLimit } from '#http/time-window'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { insertUser, hashNewPassword } from './change.ts'
import { filterUsers, masked, rows } from './read.ts'
import { userLabels } from './user-labels.ts'

registerConstraintErrors({ merchant_profile_school_fkey: { code: codes.referred, params: { what: '学校' } } })

/** The rows of users with their school. The school limits the profile, the department limits the user. */
const profiles = (db: AllTablesDb, actor: Actor, query: MerchantUserQuery) => {
  const { schoolId } = query
  return filterUsers(rows(db), actor, query)
    .innerJoin('merchantProfile', 'merchantProfile.userId', 'users.id')
    .innerJoin('school', 'school.id', 'merchantProfile.schoolId')
    .select(['merchantProfile.schoolId', 'school.name as schoolName', 'merchantProfile.jobTitle'])
    .where('users.type', '=', 'SCHOOL')
    .$if(!!schoolId, (q) => q.where('merchantProfile.schoolId', '=', schoolId ?? 0))
}

const order: ListOrder<MerchantUserQuery> = {
  columns: {
    username: { by: sql`users.username` },
    nickname: { by: sql`users.nickname` },
    schoolName: { by: sql`school.name` },
    status: { by: sql`users.enabled` },
    loginDate: { by: sql`last_login.at`, nullable: true },
    createTime: { by: sql`users.create_time` },
  },
  usual: sql`users.id desc`,
  id: sql`users.id`,
}

export const merchantPage = async (db: Db, query: MerchantUserQuery, actor: Actor) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = profiles(scoped(db, actor), actor, query)
  const [list, total] = await Promise.all([
    found.orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
    countCapped(db, found.clearSelect().select(sql`1`.as('one'))),
  ])
  return { list: list.map((row) => masked(actor, row)), ...total }
}

const columns = async (db: Db, lang: Lang): Promise<SheetColumn<MerchantUserRow>[]> => {
  const words = await userLabels(db, lang)
  return [
    sheetColumn(MerchantUserRow, 'id', { width: 10 }),
    sheetColumn(MerchantUserRow, 'username'),
    sheetColumn(MerchantUserRow, 'nickname'),
    sheetColumn(MerchantUserRow, 'schoolName', { width: 24 }),
    sheetColumn(MerchantUserRow, 'jobTitle'),
    sheetColumn(MerchantUserRow, 'deptName', { width: 24 }),
    sheetColumn(MerchantUserRow, 'mobile'),
    sheetColumn(MerchantUserRow, 'email', { width: 28 }),
    sheetColumn(MerchantUserRow, 'status', {
      width: 10,
      cell: (on) => (on ? words.status.on : words.status.off),
    }),
    sheetColumn(MerchantUserRow, 'loginDate'),
    sheetColumn(MerchantUserRow, 'createTime'),
  ]
}

/** The columns of the list, with the same masks. */
export const merchantExport: Exporter<MerchantUserQuery & ExportOptions, MerchantUserRow> = {
  endpoints: merchantUsers,
  subject: 'users',
  name: '学校账号',
  nameEn: 'School accounts',
  reveals: [REVEAL_PERMISSION],
  columns,
  rows: (db, actor, query) =>
    profiles(scoped(db, actor), actor, query).orderBy(
      toOrderBy(query.orderBy, order),
    ) as unknown as RowsQuery<MerchantUserRow>,
  shown: ({ actor }, found) => found.map((row) => masked(actor, { ...row, avatarId: null })),
}

export const createMerchant = async (db: Db, draft: MerchantUserDraft, caller: Caller): Promise<number> => {
  const { schoolId, jobTitle = null, password: _password, ...rest } = draft
  const passwordHash = await hashNewPassword(draft)
  return db.transaction().execute(async (trx) => {
    const school = await scoped(trx, caller.actor)
      .selectFrom('school')
      .select('deptId')
      .where('id', '=', schoolId)
      .executeTakeFirst()
    if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
    const userId = await insertUser(trx, { type: 'SCHOOL', deptId: school.deptId, draft: rest, passwordHash }, caller)
    await unscoped(trx, 'an insert reads nothing; the school was seen')
      .insertInto('merchantProfile')
      .values({ userId, schoolId, jobTitle })
      .execute()
    return userId
  })
}
