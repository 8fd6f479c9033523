import { codes } from '@tocsin/contract/codes'
import { TALK_SECONDS, type TalkDraft, type TalkMessage, type TalkPerson } from '@tocsin/contract/demo/talk'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'

/** Maximum messages on the page, and maximum stored ones. */
const SHOWN = 100
const KEPT = 1000

export const talkList = async (db: Db, { userId }: Actor): Promise<TalkMessage[]> => {
  const rows = await db
    .selectFrom('demoMessage')
    .selectAll()
    .where((eb) => eb.or([eb('toUserId', 'is', null), eb('toUserId', '=', userId), eb('fromUserId', '=', userId)]))
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.toReversed()
}

const present = sql<boolean>`demo_seat.seen_at > now() - make_interval(secs => ${sql.lit(TALK_SECONDS)})`

const seated = (db: Db, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('users')
    .innerJoin('demoSeat', 'demoSeat.userId', 'users.id')
    .select(['users.id as userId', 'users.nickname'])
    .where(present)
    .where('users.id', '<>', actor.userId)
    .where('users.enabled', '=', true)

/** Other users on the page, without invisible ones. */
export const talkPeople = (db: Db, actor: Actor): Promise<TalkPerson[]> =>
  seated(db, actor).orderBy('users.nickname').orderBy('users.id').execute()

export const joinTalk = (db: Db, { userId }: Actor): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('demoSeat')
      .select('userId')
      .where('userId', '=', userId)
      .where(present)
      .executeTakeFirst()
    await trx
      .insertInto('demoSeat')
      .values({ userId })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ seenAt: sql<Date>`now()` }))
      .execute()
    if (!before) await emitEvents(trx, { type: 'demo.talk' })
    return true as const
  })

export const leaveTalk = (db: Db, { userId }: Actor): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const left = await trx.deleteFrom('demoSeat').where('userId', '=', userId).returning('userId').executeTakeFirst()
    if (left) await emitEvents(trx, { type: 'demo.talk' })
    return true as const
  })

const receiver = async (trx: Db, actor: Actor, toUserId: number | undefined) => {
  if (toUserId === undefined) return undefined
  const found = await seated(trx, actor).where('users.id', '=', toUserId).executeTakeFirst()
  if (!found) throw new BusinessError(codes.demoAway)
  return found
}

/** The event reaches only sockets that subscribed to the topic; a call reads the message. */
export const sendTalk = (db: Db, { text, toUserId }: TalkDraft, caller: Caller): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { userId, nickname } = caller.actor
    const to = await receiver(trx, caller.actor, toUserId)
    const { id } = await trx
      .insertInto('demoMessage')
      .values({
        fromUserId: userId,
        fromName: nickname,
        toUserId: to?.userId ?? null,
        toName: to?.nickname ?? null,
        text,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .deleteFrom('demoMessage')
      .where('id', '<=', id - KEPT)
      .execute()
    const hearers = to ? [{ userId: to.userId }, { userId }] : [{}]
    await emitEvents(trx, ...hearers.map((hearer) => ({ type: 'demo.talk' as const, ref: id, ...hearer })))
    await writeAudit(trx, {
      ...caller,
      action: 'demo:talk:send',
      subject: 'demo_message',
      subjectId: id,
      after: { toUserId: to?.userId ?? null, text },
    })
    return id
  })
