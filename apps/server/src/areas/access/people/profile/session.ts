import { codes } from '@tocsin/contract/codes'
import { type OwnSession, ownSessions } from '@tocsin/contract/access/sign-in/own-session'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route, type Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { endSession } from '../../sign-in/session.ts'
import { runEdit } from '#areas/audit/edit-transaction'
import { builtInRegions, type RegionOf } from '#areas/audit/log/region'

/** The caller's running sessions. */
const running = (db: Db, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('session')
    .where('userId', '=', actor.userId)
    .where('endedAt', 'is', null)
    .where(sql<boolean>`least(idle_expires_at, expires_at) > now()`)

const listOwn = async (db: Db, actor: Actor, regionOf: RegionOf): Promise<OwnSession[]> => {
  const rows = await running(db, actor)
    .select(['id', 'ip as userIp', 'userAgent', 'createdAt as createTime', 'lastUsedAt as lastUsedTime', 'lockedAt'])
    .orderBy((eb) => eb('id', '=', actor.sessionId), 'desc')
    .orderBy('lastUsedAt', 'desc')
    .execute()
  return rows.map(({ lockedAt, ...row }) => ({
    ...row,
    region: regionOf(row.userIp),
    locked: lockedAt !== null,
    current: row.id === actor.sessionId,
  }))
}

const endAll = async (trx: Db, ids: readonly number[], caller: Caller): Promise<number> => {
  await endSession(trx, ids, 'KICKED')
  for (const id of ids)
    await writeAudit(trx, { ...caller, action: 'system:session:delete-own', subject: 'session', subjectId: id })
  return ids.length
}

const endOne = (db: Db, id: number, caller: Caller): Promise<true> => {
  const { actor } = caller
  if (id === actor.sessionId) throw new BusinessError(codes.ownSession)
  return runEdit(db, { userId: actor.userId }, async (trx) => {
    const mine = await running(trx, actor).select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!mine) throw new BusinessError(codes.notFound, { what: '会话' })
    await endAll(trx, [id], caller)
    return true as const
  })
}

const endOthers = (db: Db, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const others = await running(trx, caller.actor)
      .select('id')
      .where('id', '<>', caller.actor.sessionId)
      .forUpdate()
      .execute()
    return endAll(
      trx,
      others.map(({ id }) => id),
      caller,
    )
  })

type Deps = { db: Db; regionOf?: RegionOf | undefined }

export const ownSessionRoutes = ({ db, regionOf = builtInRegions }: Deps): Route[] => [
  route(ownSessions.list, ({ actor }) => listOwn(db, actor, regionOf)),
  route(ownSessions.end, ({ query, caller }) => endOne(db, query.id, caller)),
  route(ownSessions.endOthers, ({ caller }) => endOthers(db, caller)),
]
