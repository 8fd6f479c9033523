import { PgBoss } from 'pg-boss'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { DEAD_QUEUE, QUEUE } from '#db/schema/queue'
import { queueOptions, requeue, toQueueDb } from '#jobs/queue'
import { failExhaustedJob, type JobHandler, runJob } from '#jobs/run'

/** Long imports and short exports have separate workers, so that one does not delay the other. */
const AT_ONCE = 2
/** The least that the queue library takes: a person waits for an import or export to begin. */
const POLL_SECONDS = 0.5
/** How often the queue checks for workers whose heartbeat (every ten seconds) has stopped. */
const WATCH_SECONDS = 5

type Given = { db: Db; handlers: Readonly<Record<string, JobHandler>>; log: Log }
type Queued = { id: number }

/** Runs jobs from the queue until stopped; unfinished ones then go to the next worker. */
export const startJobConsumer = async ({ db, handlers, log }: Given): Promise<{ stop: () => Promise<void> }> => {
  const stopping = new AbortController()
  const working = new Set<Promise<void>>()
  const boss = new PgBoss({
    ...queueOptions,
    db: toQueueDb(db),
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
    // Creating a queue is DDL, which this role cannot do.
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.warn(`the queue: ${error.message}`))
  await boss.start()
  const work = async ({ id }: Queued) => {
    try {
      if (!(await runJob(db, handlers, { id, stopping: stopping.signal }))) await requeue(db, id)
    } catch (error) {
      log.error(`job ${id} failed and is tried again: ${error instanceof Error ? (error.stack ?? '') : String(error)}`)
      throw error
    }
  }
  await boss.work<Queued>(QUEUE, { localConcurrency: AT_ONCE, pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
    const done = Promise.all(jobs.map(({ data }) => work(data))).then(() => undefined)
    working.add(done)
    await done.finally(() => working.delete(done))
  })
  await boss.work<Queued>(DEAD_QUEUE, { pollingIntervalSeconds: WATCH_SECONDS }, async (jobs) => {
    for (const { data } of jobs) await failExhaustedJob(db, data.id)
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(working)
      await boss.stop({ graceful: false })
    },
  }
}
