import { codes } from '@tocsin/contract/codes'
import { dutyLabel } from '@tocsin/contract/security/duty-labels'
import { formatMinute, MINUTE_MS, MINUTES_PER_DAY, startOfDay, weekdayOf } from '@tocsin/contract/security/hours'
import { type SecurityPostQuery, SecurityPostRow, securityPosts } from '@tocsin/contract/security/post'
import { sql } from 'kysely'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import type { AllTablesDb, Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { ownerName } from '../owner.ts'

/** People scheduled at a post now: its published shifts without the absent. */
const planned = (_all: UnscopedDb) => sql<number>`(
  select count(*)::int from shift where shift.post_id = security_post.id and shift.published_at is not null
    and shift.state <> 'ABSENT' and shift.from_at <= now() and shift.to_at > now())`
/** People present; somebody who has not checked out is. */
const present = (_all: UnscopedDb) => sql<number>`(
  select count(*)::int from shift where shift.post_id = security_post.id and shift.state = 'CHECKED_IN')`
const missing = sql<number>`(
  select coalesce(sum(greatest((item->>'required')::int - (item->>'present')::int, 0)), 0)::int
  from jsonb_array_elements(security_post.equipment) item)`

/** When somebody last looked at the equipment, at the beginning of a shift. */
const equipmentCheckedAt = (_all: UnscopedDb) => sql<Date | null>`(
  select shift.checked_in_at from shift where shift.post_id = security_post.id and shift.equipment_check is not null
  order by shift.from_at desc limit 1)`

/** Whether the hours of a post include this moment, in the configured zone. */
const isManned = (now: Date) => {
  const today = weekdayOf(now)
  const minute = Math.floor((now.getTime() - startOfDay(now).getTime()) / MINUTE_MS) % MINUTES_PER_DAY
  const on = (day: number) => sql`(security_post.weekdays & ${sql.lit(1 << day)}::int) <> 0`
  return sql<boolean>`case when to_min > from_min
    then ${on(today)} and from_min <= ${sql.lit(minute)} and to_min > ${sql.lit(minute)}
    else ${on(today)} and from_min <= ${sql.lit(minute)} or ${on((today + 6) % 7)} and to_min > ${sql.lit(minute)} end`
}

/** The shifts of a post belong to its owner: users who see the post see their number. */
const countable = (db: AllTablesDb) => unscoped(db, 'shifts of visible posts are counted')

const postRows = (seen: AllTablesDb, query: Partial<SecurityPostQuery> = {}) => {
  const all = countable(seen)
  const text = likePattern(query.keyword ?? '')
  return seen
    .selectFrom('securityPost')
    .leftJoin('school', 'school.id', 'securityPost.schoolId')
    .leftJoin('dept', 'dept.id', 'securityPost.deptId')
    .leftJoin('place', 'place.id', 'securityPost.placeId')
    .$if(!!query.keyword, (q) =>
      q.where((eb) => eb.or([eb('securityPost.name', 'ilike', text), eb('school.name', 'ilike', text)])),
    )
    .$if(!!query.type?.length, (q) => q.where('securityPost.type', 'in', query.type ?? []))
    .$if(query.schoolId !== undefined, (q) => q.where('securityPost.schoolId', '=', query.schoolId ?? 0))
    .$if(query.enabled !== undefined, (q) => q.where('securityPost.enabled', '=', query.enabled ?? true))
    .$if(query.short !== undefined, (q) => {
      const short = sql<boolean>`(security_post.enabled and ${isManned(new Date())}
        and ${present(all)} < security_post.headcount)`
      return q.where(query.short ? short : sql<boolean>`not ${short}`)
    })
    .$if(query.lacking !== undefined, (q) => q.where(missing, query.lacking ? '>' : '=', 0))
}

const order: ListOrder<SecurityPostQuery> = {
  columns: {
    name: { by: sql`security_post.name` },
    ownerName: { by: ownerName },
    headcount: { by: sql`security_post.headcount` },
    createTime: { by: sql`security_post.create_time` },
  },
  usual: sql`${ownerName}, security_post.name, security_post.id`,
  id: sql`security_post.id`,
}

const selectPost = (all: UnscopedDb, found: ReturnType<typeof postRows>, orderBy?: SecurityPostQuery['orderBy']) =>
  found
    .selectAll('securityPost')
    .select([
      ownerName.as('ownerName'),
      'place.name as placeName',
      planned(all).as('planned'),
      present(all).as('present'),
      missing.as('missing'),
      equipmentCheckedAt(all).as('equipmentCheckedAt'),
    ])
    .orderBy(toOrderBy(orderBy, order))

const withoutCode = <R extends { checkCode: string }>({ checkCode: _code, ...row }: R): Omit<R, 'checkCode'> => row

export const pagePosts = async (db: Db, actor: Actor, query: SecurityPostQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = postRows(scoped(db, actor), query)
  const [list, total] = await Promise.all([
    selectPost(countable(db), found, query.orderBy).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('securityPost.id')),
  ])
  return { list: list.map(withoutCode), ...total }
}

const findPost = async (db: Db, actor: Actor, id: number) => {
  const row = await selectPost(
    countable(db),
    postRows(scoped(db, actor)).where('securityPost.id', '=', id),
  ).executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '岗位' })
  return row
}

export const getPost = async (db: Db, actor: Actor, id: number): Promise<SecurityPostRow> =>
  withoutCode(await findPost(db, actor, id))

export const getCheckCode = async (db: Db, actor: Actor, id: number) => {
  const { checkCode } = await findPost(db, actor, id)
  return { checkCode }
}

/** More posts than a select can offer. */
const MAX_OPTIONS = 500

export const listPostOptions = (db: Db, actor: Actor, schoolId: number | undefined) =>
  postRows(scoped(db, actor), { schoolId, enabled: true })
    .select(['securityPost.id', 'securityPost.name', 'securityPost.type', ownerName.as('ownerName')])
    .orderBy(ownerName)
    .orderBy('securityPost.name')
    .limit(MAX_OPTIONS)
    .execute()

const hoursText = ({ fromMin, toMin }: { fromMin: number; toMin: number }) =>
  `${formatMinute(fromMin)}–${formatMinute(toMin)}`

export const postExport: Exporter<SecurityPostQuery & ExportOptions, SecurityPostRow> = {
  endpoints: securityPosts,
  subject: 'security_post',
  name: '岗位',
  nameEn: 'Posts',
  columns: async (_db, lang) => [
    sheetColumn(SecurityPostRow, 'name', { width: 24 }),
    sheetColumn(SecurityPostRow, 'type', { cell: (type) => dutyLabel('postType', type, lang) }),
    sheetColumn(SecurityPostRow, 'ownerName', { width: 28 }),
    sheetColumn(SecurityPostRow, 'placeName'),
    sheetColumn(SecurityPostRow, 'fromMin', { cell: (_from, post) => hoursText(post) }),
    sheetColumn(SecurityPostRow, 'headcount'),
    sheetColumn(SecurityPostRow, 'planned'),
    sheetColumn(SecurityPostRow, 'present'),
    sheetColumn(SecurityPostRow, 'missing'),
    sheetColumn(SecurityPostRow, 'equipmentCheckedAt', { width: 20 }),
    sheetColumn(SecurityPostRow, 'enabled'),
    sheetColumn(SecurityPostRow, 'remark', { width: 30 }),
  ],
  rows: (db, actor, query) =>
    selectPost(countable(db), postRows(scoped(db, actor), query)) as unknown as RowsQuery<SecurityPostRow>,
}
