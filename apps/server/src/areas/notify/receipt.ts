import { type MyDelivery } from '@tocsin/contract/notify/delivery'
import { listSourceStates, receivedStates } from '@tocsin/contract/notify/delivery-machine'
import { sql } from 'kysely'
import { retryTransaction } from '#db/retry'
import type { Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'
import { deliveryEvents } from './plan.ts'

const forGroup = (trx: Db) => unscoped(trx, 'messages of one planning to one person belong together')

type Message = Pick<Row<'delivery'>, 'subjectType' | 'subjectId' | 'planKey' | 'userId'>

/** The later channels of the same person in the same planning. */
const pendingOf = (trx: Db, { subjectType, subjectId, planKey, userId }: Message) =>
  forGroup(trx)
    .selectFrom('delivery')
    .select('id')
    .where('subjectType', '=', subjectType)
    .where('subjectId', '=', subjectId)
    .where('planKey', '=', planKey)
    .where('userId', '=', userId ?? 0)
    .where('state', 'in', [...listSourceStates('cancel')])
    .orderBy('id')
    .forUpdate()

/** A channel failed for good: the next one of the same person starts at once. */
export const advanceNextChannel = async (trx: Db, message: Message): Promise<void> => {
  if (message.userId === null) return
  const [next] = await pendingOf(trx, message).execute()
  if (next) await forGroup(trx).updateTable('delivery').set({ dueAt: sql`now()` }).where('id', '=', next.id).execute()
}

/**
 * While a message was being sent, its subject ended or the person received another message of the planning: a further
 * attempt would only disturb. A person who sends a copy knows of the receipt.
 */
export const isNeedless = async (db: Db, row: Message & Pick<Row<'delivery'>, 'id' | 'resendOfId'>) => {
  const received = forGroup(db)
    .selectFrom('delivery')
    .select('id')
    .where('subjectType', '=', row.subjectType)
    .where('subjectId', '=', row.subjectId)
    .where('planKey', '=', row.planKey)
    .where('userId', '=', row.resendOfId === null ? (row.userId ?? 0) : 0)
    .where('state', 'in', [...receivedStates])
  const found = await forGroup(db)
    .selectFrom('delivery')
    .select('id')
    .where('id', '=', row.id)
    .where((eb) => eb.or([eb('endedAt', 'is not', null), eb.exists(received)]))
    .executeTakeFirst()
  return found !== undefined
}

const cancelLaterChannels = async (trx: Db, message: Message): Promise<void> => {
  const ids = (await pendingOf(trx, message).execute()).map(({ id }) => id)
  if (ids.length > 0)
    await forGroup(trx)
      .updateTable('delivery')
      .set({ state: 'CANCELLED', reason: 'RECEIVED', endedAt: sql`now()` })
      .where('id', '=', sql<number>`any(${ids})`)
      .execute()
}

/**
 * The recipient's page displays the messages (`deliver`) or the recipient opened them (`read`). The later channels are
 * cancelled in the same transaction. Repeated receipts change nothing.
 */
export const recordReceipt = (db: Db, actor: Actor, ids: readonly number[], verb: 'deliver' | 'read'): Promise<true> =>
  retryTransaction(async () => {
    await db.transaction().execute(async (trx) => {
      const state = verb === 'read' ? ('READ' as const) : ('DELIVERED' as const)
      const rows = await scoped(trx, actor)
        .updateTable('delivery')
        .set({
          state,
          ...(verb === 'read' ? { readAt: sql`now()`, endedAt: sql`now()` } : { deliveredAt: sql`now()` }),
        })
        .where('id', '=', sql<number>`any(${ids})`)
        .where('userId', '=', actor.userId)
        .where('channel', '=', 'INAPP')
        .where('state', 'in', [...listSourceStates(verb)])
        .returningAll()
        .execute()
      for (const row of rows) await cancelLaterChannels(trx, row)
      await emitEvents(trx, ...deliveryEvents(rows.map((row) => ({ ...row, arrived: verb === 'read' }))))
    })
    wakeSequencer()
    return true as const
  })

const MAX_UNREAD = 50

/** Unread in-app messages of the user whose subject is still open, the most urgent first. */
export const listUnread = (db: Db, actor: Actor): Promise<MyDelivery[]> =>
  scoped(db, actor)
    .selectFrom('delivery')
    .select(['id', 'subjectType', 'subjectId', 'level', 'title', 'body', 'link', 'state', 'createdAt'])
    .where('userId', '=', actor.userId)
    .where('channel', '=', 'INAPP')
    .where('state', 'in', [...listSourceStates('read')])
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('level')
    .orderBy('id', 'desc')
    .limit(MAX_UNREAD)
    .execute()
