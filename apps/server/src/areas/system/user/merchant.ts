import { codes } from '@tocsin/contract/codes'
import { labelIn } from '@tocsin/contract/field'
import {
  type MerchantUserDraft,
  type MerchantUserQuery,
  MerchantUserRow,
  merchantUsers,
} from '@tocsin/contract/system/user'
import { sql } from 'kysely'
import { conflicts } from '#db/conflict'
import type { AllDb, Db } from '#db/db'
import { countUpTo } from '#db/page'
import { everything, scoped } from '#db/scope'
import { type CsvColumn, csvFile } from '#http/csv'
import { Refusal } from '#http/refusal'
import type { Actor, FileAnswer } from '#http/route'
import { pageOf } from '#http/window'
import type { Who } from '../edit.ts'
import { recordReading } from '../reading.ts'
import { insertUser, passwordOf } from './change.ts'
import { filtered, masked, rows } from './read.ts'

conflicts({ merchant_profile_school_fkey: { code: codes.referred, params: { what: '学校' } } })

/** The same rows as of users; the profile's school is its own sight, the user's department his. */
const profiles = (db: AllDb, actor: Actor, query: MerchantUserQuery) => {
  const { schoolId } = query
  return filtered(rows(db), actor, query)
    .innerJoin('merchantProfile', 'merchantProfile.userId', 'users.id')
    .innerJoin('school', 'school.id', 'merchantProfile.schoolId')
    .select(['merchantProfile.schoolId', 'school.name as schoolName', 'merchantProfile.jobTitle'])
    .where('users.type', '=', 'SCHOOL')
    .$if(!!schoolId, (q) => q.where('merchantProfile.schoolId', '=', schoolId ?? 0))
}

export const merchantPage = async (db: Db, query: MerchantUserQuery, actor: Actor) => {
  const { limit, offset } = pageOf(query)
  const found = profiles(scoped(db, actor), actor, query)
  const [list, total] = await Promise.all([
    found.orderBy('users.id', 'desc').limit(limit).offset(offset).execute(),
    countUpTo(db, found.clearSelect().select(sql`1`.as('one'))),
  ])
  return { list: list.map((row) => masked(actor, row)), ...total }
}

const csv: CsvColumn<MerchantUserRow>[] = [
  ...(['id', 'username', 'nickname', 'schoolName', 'jobTitle', 'deptName', 'mobile', 'email'] as const).map(
    (name): CsvColumn<MerchantUserRow> => ({
      title: labelIn('zh-cn', MerchantUserRow.shape[name]),
      cell: (row) => row[name],
    }),
  ),
  { title: labelIn('zh-cn', MerchantUserRow.shape.status), cell: ({ status }) => (status ? '启用' : '停用') },
  { title: labelIn('zh-cn', MerchantUserRow.shape.loginDate), cell: ({ loginDate }) => loginDate },
  { title: labelIn('zh-cn', MerchantUserRow.shape.createTime), cell: ({ createTime }) => createTime },
]

const BATCH = 1000

/** Batch after batch by id, each a query of its own, so that a slow download holds no connection. */
async function* batches(db: Db, actor: Actor, query: MerchantUserQuery): AsyncGenerator<MerchantUserRow[]> {
  for (let after = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await profiles(scoped(db, actor), actor, query)
      .where('users.id', '<', after)
      .orderBy('users.id', 'desc')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    yield rows.map((row) => masked(actor, row))
  }
}

/** What the list shows, contact data masked alike. */
export const exportMerchants = async (db: Db, query: MerchantUserQuery, who: Who): Promise<FileAnswer> => {
  const file = await csvFile('学校账号', csv, batches(db, who.actor, query))
  await recordReading(db, who, {
    action: 'bully:merchant-user:export',
    subject: 'users',
    call: merchantUsers.export.path,
    filter: query,
  })
  return file
}

export const createMerchant = async (db: Db, draft: MerchantUserDraft, who: Who): Promise<number> => {
  const { schoolId, jobTitle = null, ...rest } = draft
  const passwordHash = await passwordOf(draft)
  return db.transaction().execute(async (trx) => {
    const school = await scoped(trx, who.actor)
      .selectFrom('school')
      .select('deptId')
      .where('id', '=', schoolId)
      .executeTakeFirst()
    if (!school) throw new Refusal(codes.notFound, { what: '学校' })
    const userId = await insertUser(trx, { type: 'SCHOOL', deptId: school.deptId, draft: rest, passwordHash }, who)
    await everything(trx, 'an insert reads nothing; the school was seen')
      .insertInto('merchantProfile')
      .values({ userId, schoolId, jobTitle })
      .execute()
    return userId
  })
}
