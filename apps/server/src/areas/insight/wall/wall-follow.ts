import { codes } from '@tocsin/contract/codes'
import { WALL_FOLLOW_SEC, type WallToFollow } from '@tocsin/contract/insight/wall'
import { sql } from 'kysely'
import { recordChange } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { wallLinkState } from './wall-links.ts'

const SUBJECT = 'wall_link'
const MAX_WALLS = 50

/** Its page renews the row, and its user is signed in and has not locked the screen. */
const isFollowing = sql<boolean>`(wall_follow.shown_at > now() - make_interval(secs => ${WALL_FOLLOW_SEC})
  and session.ended_at is null and session.locked_at is null
  and session.expires_at > now() and session.idle_expires_at > now())`

/** What the desk that a wall follows shows now; undefined when it follows none. */
export const findFollowed = (db: Db, linkId: number) =>
  unscoped(db, 'which desk a wall follows; the record is read with the rights of the wall')
    .selectFrom('wallFollow')
    .innerJoin('session', 'session.id', 'wallFollow.sessionId')
    .select('wallFollow.recordId')
    .where('wallFollow.linkId', '=', linkId)
    .where(isFollowing)
    .executeTakeFirst()

const activeLinks = (db: Db, actor: Actor) =>
  scoped(db, actor).selectFrom('wallLink').select('wallLink.id').where(wallLinkState, '=', 'ACTIVE')

export const listWallsToFollow = (db: Db, actor: Actor): Promise<WallToFollow[]> =>
  unscoped(db, 'department and followed desk of visible links')
    .selectFrom('wallLink')
    .innerJoin('dept', 'dept.id', 'wallLink.deptId')
    .leftJoin('wallFollow', 'wallFollow.linkId', 'wallLink.id')
    .leftJoin('session', 'session.id', 'wallFollow.sessionId')
    .select(['wallLink.id', 'wallLink.name', 'dept.name as deptName'])
    .select(
      sql<WallToFollow['follows']>`case
        when ${isFollowing} is not true then 'NOBODY'
        when wall_follow.session_id = ${actor.sessionId} then 'MINE'
        else 'OTHER' end`.as('follows'),
    )
    .where('wallLink.id', 'in', activeLinks(db, actor))
    .orderBy('wallLink.name')
    .orderBy('wallLink.id')
    .limit(MAX_WALLS)
    .execute()

/** Null for a record that the caller does not see. */
const findShown = async (db: Db, actor: Actor, recordId: number | null): Promise<number | null> => {
  if (recordId === null) return null
  const found = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', recordId)
    .executeTakeFirst()
  return found?.id ?? null
}

const SHOWN_NOW = sql<Date>`now()`

type Start = { linkId: number; recordId: number | null }

/** The caller's own desk, by his own call: nobody can let a wall follow somebody else. */
export const startWallFollow = (db: Db, { linkId, recordId }: Start, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const link = await activeLinks(trx, caller.actor).where('wallLink.id', '=', linkId).executeTakeFirst()
    if (!link) throw new BusinessError(codes.notFound, { what: '大屏链接' })
    const shown = {
      sessionId: caller.actor.sessionId,
      recordId: await findShown(trx, caller.actor, recordId),
      shownAt: SHOWN_NOW,
    }
    await trx
      .insertInto('wallFollow')
      .values({ linkId, ...shown })
      .onConflict((conflict) => conflict.column('linkId').doUpdateSet(shown))
      .execute()
    await recordChange(trx, caller, { action: 'insight:wall:follow', subject: SUBJECT, id: linkId })
    return true
  })

/** @returns the walls that still follow the caller's desk */
export const showOnWalls = async (db: Db, recordId: number | null, { actor }: Caller): Promise<number[]> => {
  const rows = await db
    .updateTable('wallFollow')
    .set({ recordId: await findShown(db, actor, recordId), shownAt: SHOWN_NOW })
    .where('sessionId', '=', actor.sessionId)
    .where('linkId', 'in', activeLinks(db, actor))
    .returning('linkId')
    .execute()
  return rows.map(({ linkId }) => linkId)
}

/** Stops only the caller's own desk; when the wall follows another one by now, nothing changes. */
export const stopWallFollow = (db: Db, linkId: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await trx
      .deleteFrom('wallFollow')
      .where('linkId', '=', linkId)
      .where('sessionId', '=', caller.actor.sessionId)
      .execute()
    await recordChange(trx, caller, { action: 'insight:wall:unfollow', subject: SUBJECT, id: linkId })
    return true
  })
