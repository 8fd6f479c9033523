import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { consumeRate, networkPrefix } from '#areas/access/sign-in/login-throttle'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { hashToken, loadActor } from '#http/session-auth'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'
import { wallLinkState } from './wall-links.ts'

/** Several walls may share an address; each asks up to thirty times a minute. */
const RATE = { calls: 240, seconds: 60 }
/** How exactly the last use of a link is kept. */
const USED_EVERY_SEC = 60

/** Tiles of a screen, when it starts and when it follows a desk across the district. */
const TILE_RATE = { calls: 3000, seconds: 60 }

const NO_USER = 0
const NO_SESSION = 0

type Narrowed = { depts: number[]; schools: number[] }

const commonIds = (seen: 'all' | readonly number[], ids: readonly number[]): number[] => {
  if (seen === 'all') return [...ids]
  const known = new Set(seen)
  return ids.filter((id) => known.has(id))
}

/** What the actor sees of a department, of those below it and of their schools. */
const narrowToDept = async (db: Db, { depts, schools }: Actor, deptId: number): Promise<Narrowed> => {
  const below = deptsBelow(deptId)
  const all = unscoped(db, 'departments and schools below a department, reduced to what the actor sees')
  const [deptRows, schoolRows] = await Promise.all([
    all.selectFrom('dept').select('id').where('id', 'in', below).execute(),
    all
      .selectFrom('school')
      .select('id')
      .where((eb) => eb.or([eb('deptId', 'in', below), eb('policeDeptId', 'in', below)]))
      .execute(),
  ])
  return {
    depts: commonIds(
      depts,
      deptRows.map(({ id }) => id),
    ),
    schools: commonIds(
      schools,
      schoolRows.map(({ id }) => id),
    ),
  }
}

const findLink = (db: Db, token: string) =>
  unscoped(db, 'the token is the right to read')
    .selectFrom('wallToken')
    .innerJoin('wallLink', 'wallLink.id', 'wallToken.linkId')
    .innerJoin('dept', 'dept.id', 'wallLink.deptId')
    .select(['wallLink.id', 'wallLink.name', 'wallLink.deptId', 'wallLink.creator', 'wallLink.expiresAt'])
    .select(['dept.name as deptName', wallLinkState.as('state')])
    .where('wallToken.hash', '=', hashToken(token))
    .executeTakeFirst()

const noteUse = (db: Db, linkId: number) =>
  db
    .updateTable('wallToken')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('linkId', '=', linkId)
    .where(sql<boolean>`(last_used_at is null or last_used_at < now() - make_interval(secs => ${USED_EVERY_SEC}))`)
    .execute()

const requireActiveLink = async (db: Db, token: string) => {
  const link = await findLink(db, token)
  if (!link) throw new BusinessError(codes.wallUnknown)
  if (link.state === 'REVOKED') throw new BusinessError(codes.wallRevoked)
  if (link.state === 'EXPIRED') throw new BusinessError(codes.wallExpired)
  return link
}

/** The base map has no rows of anybody: a link that works is enough. */
export const assertWallTiles = async (db: Db, token: string, ip: string): Promise<void> => {
  if (!(await consumeRate(db, `wall-tile:${networkPrefix(ip)}`, TILE_RATE))) throw new BusinessError(codes.tooMany)
  await requireActiveLink(db, token)
}

export type WallSight = { id: number; name: string; deptName: string; expiresAt: Date; viewer: Actor }

/**
 * The rights behind a token: those that its creator has now, within the link's department. The viewer is no user, so
 * that rows which are the creator's own but of another department stay out of sight.
 */
export const openWallSight = async (db: Db, token: string, ip: string): Promise<WallSight> => {
  if (!(await consumeRate(db, `wall:${networkPrefix(ip)}`, RATE))) throw new BusinessError(codes.tooMany)
  const link = await requireActiveLink(db, token)
  const creator = link.creator === null ? undefined : await loadActor(db, link.creator, NO_SESSION)
  if (!creator?.permissions.has('insight:wall:create')) throw new BusinessError(codes.wallCreator)
  const sight = await narrowToDept(db, creator, link.deptId)
  if (!sight.depts.includes(link.deptId)) throw new BusinessError(codes.wallCreator)
  await noteUse(db, link.id)
  const { id, name, deptName, expiresAt } = link
  return { id, name, deptName, expiresAt, viewer: { ...creator, ...sight, userId: NO_USER } }
}
