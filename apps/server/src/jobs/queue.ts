import { CompiledQuery } from 'kysely'
import { type Db as QueueDb, PgBoss } from 'pg-boss'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { QUEUE, QUEUE_SCHEMA } from '#db/schema/queue'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

/** Runs the queue's own statements over one of our handles or inside its transaction. */
export const toQueueDb = (db: Db): QueueDb => ({
  executeSql: async (text, values = []) => {
    // Without the camel-case plugin, because pg-boss names its own columns.
    const { rows } = await db.withoutPlugins().executeQuery(CompiledQuery.raw(text, values))
    return { rows: [...rows] }
  },
})

/** No DDL and no LISTEN: a worker polls twice a second, which costs less than a connection and never needs a NOTIFY. */
export const queueOptions = { schema: QUEUE_SCHEMA, migrate: false, createSchema: false, schedule: false } as const

let sender: PgBoss | undefined

/** Starts the queue that `queueJob` uses; once per process, before the first call is served. */
export const startQueue = async (db: Db, log: Log): Promise<{ stop: () => Promise<void> }> => {
  const boss = new PgBoss({ ...queueOptions, db: toQueueDb(db), supervise: false })
  boss.on('error', (error) => log.warn(`the queue: ${error.message}`))
  await boss.start()
  sender = boss
  return {
    stop: async () => {
      if (sender === boss) sender = undefined
      await boss.stop({ graceful: false })
    },
  }
}

/** Queues an existing job for a worker again, in the caller's transaction. */
export const requeue = async (trx: Db, id: number): Promise<void> => {
  if (!sender) throw new Error('a job was queued before the queue was started')
  await sender.send(QUEUE, { id }, { db: toQueueDb(trx) })
}

/**
 * Queues a job in the caller's transaction, so that it exists exactly when the rest does.
 * @param name key of `jobHandlers`.
 * @param userId the owner, who can see and cancel it; null: the system.
 * @returns the id of the job.
 */
export const queueJob = async (
  trx: Db,
  name: string,
  data: Row<'job'>['data'],
  userId: number | null = null,
): Promise<number> => {
  const { id } = await unscoped(trx, 'an insert reads nothing')
    .insertInto('job')
    .values({ name, data, userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await requeue(trx, id)
  return id
}
