import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import { type OnlineSessionQuery, type OnlineSessionRow, onlineSessions } from '@tocsin/contract/access/online'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route, type Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { writeAudit } from '#areas/audit/audit'
import { endSession } from '../../sign-in/session.ts'
import { runEdit } from '#areas/audit/edit-transaction'
import { type LogRequest, builtInRegions, type RegionOf } from '#areas/audit/log/region'
import { auditDetailRead } from '#areas/audit/access-audit'
import { assertCoversUser } from '../../roles/grant-guards.ts'

/** Running sessions of visible users. */
const running = (all: AllTablesDb) =>
  all
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.userId')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .where('session.endedAt', 'is', null)
    .where(sql<boolean>`least(session.idle_expires_at, session.expires_at) > now()`)

const order: ListOrder<OnlineSessionQuery> = {
  columns: {
    username: { by: sql`users.username` },
    createTime: { by: sql`session.created_at` },
    lastUsedTime: { by: sql`session.last_used_at` },
  },
  usual: sql`session.created_at desc, session.id desc`,
  id: sql`session.id`,
}

const onlinePage = async (
  db: Db,
  { actor, query, regionOf }: LogRequest<OnlineSessionQuery>,
): Promise<Page<OnlineSessionRow>> => {
  const { username, userIp } = query
  const { limit, offset } = toOffsetLimit(query)
  const hits = running(scoped(db, actor))
    .$if(!!username, (q) => q.where('users.username', 'ilike', likePattern(username ?? '')))
    .$if(!!userIp, (q) => q.where('session.ip', 'ilike', likePattern(userIp ?? '')))
  const rows = await hits
    .select([
      'session.id',
      'session.userId',
      'users.username',
      'users.nickname',
      'dept.name as deptName',
      'session.ip as userIp',
      'session.userAgent',
      'session.createdAt as createTime',
      'session.lastUsedAt as lastUsedTime',
      'session.lockedAt',
    ])
    .orderBy(toOrderBy(query.orderBy, order))
    .limit(limit)
    .offset(offset)
    .execute()
  const list = rows.map(({ lockedAt, ...row }) => ({
    ...row,
    region: regionOf(row.userIp),
    locked: lockedAt !== null,
    current: row.id === actor.sessionId,
  }))
  return { list, ...(await countCapped(db, hits.select('session.id'))) }
}

const held = async (trx: Db, actor: Actor, id: number) => {
  const found = await running(scoped(trx, actor))
    .select(['session.id', 'session.ip', 'users.id as userId', 'users.deptId', 'users.username'])
    .where('session.id', '=', id)
    .forUpdate('session')
    .executeTakeFirst()
  if (!found) throw new BusinessError(codes.notFound, { what: '会话' })
  return found
}

/**
 * Ends a session of a user who has no more rights than the actor. This node drops it from its cache at once, the others
 * by the event, at the latest when their 2 s cache expires.
 */
const kick = async (db: Db, id: number, caller: Caller): Promise<true> => {
  const { actor, origin } = caller
  if (id === actor.sessionId) throw new BusinessError(codes.ownSession)
  const whose = { userId: 0 }
  return runEdit(db, whose, async (trx) => {
    const session = await held(trx, actor, id)
    await assertCoversUser(trx, actor, { id: session.userId, deptId: session.deptId })
    whose.userId = session.userId
    await endSession(trx, [id], 'KICKED')
    await unscoped(trx, 'the log of a person in sight')
      .insertInto('loginLog')
      .values({
        type: 'KICK',
        result: 'SUCCESS',
        userId: session.userId,
        deptId: session.deptId,
        username: session.username,
        ip: origin.ip,
        userAgent: origin.userAgent,
        traceId: origin.traceId,
      })
      .execute()
    await writeAudit(trx, {
      ...caller,
      action: 'system:online-session:kick',
      subject: 'session',
      subjectId: id,
      before: { userId: session.userId, username: session.username, ip: session.ip },
    })
    return true as const
  })
}

type Deps = { db: Db; regionOf?: RegionOf | undefined }

export const onlineRoutes = ({ db, regionOf = builtInRegions }: Deps): Route[] => [
  route(onlineSessions.page, async ({ query, actor, caller }) => {
    const page = await onlinePage(db, { actor, query, regionOf })
    const ids = [...new Set(page.list.map(({ userId }) => userId))]
    await auditDetailRead(db, caller, { of: onlineSessions.page, subject: 'users', filter: query, ids })
    return page
  }),
  route(onlineSessions.delete, ({ query, caller }) => kick(db, query.id, caller)),
]
