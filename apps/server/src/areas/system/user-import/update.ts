import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { announce } from '#db/event'
import { rowsFrom } from '#db/rows'
import { everything, scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Actor, may } from '#http/route'
import { auditAll } from '../audit.ts'
import { recordable, type Who } from '../edit.ts'
import { hidesNobody } from '../user/taken.ts'
import { type Outcome, type Pending, type Written, written, writtenColumns } from './create.ts'
import { entitled, UPDATE } from './entitled.ts'
import { refusedWriting } from './reason.ts'

export type Change = Pending & { userId: number }

const columns = { nickname: 'text', email: 'text', mobile: 'text', sex: 'text', remark: 'text' }
const plain: ReadonlySet<string> = new Set(['username', ...Object.keys(columns)])
const changesFrom = rowsFrom({ id: 'bigint', ...columns })
/** What a line leaves out stays. */
const set = sql.raw(
  Object.keys(columns)
    .map((name) => `${name} = coalesce(row.${name}, users.${name})`)
    .join(', '),
)

/**
 * Whether nothing but the rights over the person has to be asked before the change: no department, role or status moves,
 * it is not the importer himself, and "taken" would tell him nothing.
 */
export const isPlain = <R extends Pending & { userId: number | null }>(
  actor: Actor,
  row: R,
): row is R & { userId: number } => {
  const names = Object.keys(row.draft)
  const silent = hidesNobody(actor) || !names.some((name) => name === 'mobile' || name === 'email')
  return row.userId !== null && row.userId !== actor.userId && silent && names.every((name) => plain.has(name))
}

/** Those in sight, held in order of their ids. */
const lock = async (trx: Db, ids: readonly number[], { actor }: Who): Promise<Map<number, Written>> => {
  const seen = await scoped(trx, actor)
    .selectFrom('users')
    .select(writtenColumns)
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(seen.map((user) => [user.id, user]))
}

const rolesOf = async (trx: Db, ids: readonly number[]): Promise<Map<number, number[]>> => {
  const held = await trx
    .selectFrom('userRole')
    .select(['userId', 'roleId'])
    .where('userId', '=', sql<number>`any(${ids})`)
    .orderBy('roleId')
    .execute()
  const roles = new Map<number, number[]>()
  for (const { userId, roleId } of held) roles.set(userId, [...(roles.get(userId) ?? []), roleId])
  return roles
}

/** Only an open console has to hear of it. */
const tell = async (trx: Db, ids: readonly number[]): Promise<void> => {
  const open = await trx
    .selectFrom('session')
    .select('userId')
    .distinct()
    .where('userId', '=', sql<number>`any(${ids})`)
    .where('endedAt', 'is', null)
    .execute()
  await announce(trx, ...open.map(({ userId }) => ({ type: 'permission.changed' as const, ref: userId, userId })))
}

/** Changes users whose lines are plain, all together: what `changeUser` does for one. @returns what became of each line. */
export const updateUsers = async (trx: Db, rows: readonly Change[], who: Who): Promise<Outcome[]> => {
  const ids = rows.map(({ userId }) => userId)
  const [before, roles] = [await lock(trx, ids, who), await rolesOf(trx, ids)]
  const rights = entitled(trx, who.actor)
  const refusalOf = async (userId: number): Promise<Refusal | undefined> => {
    const user = before.get(userId)
    if (!user) return new Refusal(codes.userMissing)
    if (!may(who.actor)(UPDATE)) return new Refusal(codes.forbidden)
    const covered = await rights.covers({ ...user, roleIds: roles.get(userId) ?? [] })
    return covered ? undefined : new Refusal(codes.moreRights)
  }
  const judged: Outcome[] = []
  for (const { line, userId } of rows) judged.push({ line, userId, reason: refusedWriting(await refusalOf(userId)) })
  const good = rows.filter((_, at) => !judged[at]?.reason)
  const changes = good.map(({ userId, draft }) => ({ ...draft, id: userId }))
  const { rows: after } = await sql<Written>`
    update users set ${set}, version = users.version + 1, update_time = now(), updater = ${who.actor.userId}
    from ${changesFrom(changes)} where users.id = row.id returning ${written}`.execute(
    everything(trx, 'locked in sight'),
  )
  const action = { ...who, action: 'system:user:update', subject: 'users' }
  await auditAll(
    trx,
    after.map((user) => ({
      ...action,
      subjectId: user.id,
      before: recordable(before.get(user.id) ?? {}),
      after: recordable(user),
    })),
  )
  await tell(
    trx,
    after.map(({ id }) => id),
  )
  return judged
}
