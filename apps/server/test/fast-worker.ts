import { PgBoss } from 'pg-boss'
import { setTimeout as pause } from 'node:timers/promises'
import { jobHandlers } from '../src/areas/jobs.ts'
import type { Db } from '../src/db/db.ts'
import { QUEUE } from '../src/db/schema/queue.ts'
import type { Route } from '../src/http/route.ts'
import { queueOptions, requeue, toQueueDb } from '../src/jobs/queue.ts'
import { runJob } from '../src/jobs/run.ts'
import { type JobFixture, openJobFixture } from './job-fixture.ts'

const POLL_MS = 10

/**
 * Runs jobs from the queue one after another, for tests of what a job does. The worker of the product asks the queue twice a
 * second, which is most of the time of a short job. An error that is worth a retry rejects `stop`.
 */
const startFastWorker = async (db: Db) => {
  const stopping = new AbortController()
  const handlers = jobHandlers()
  const boss = new PgBoss({ ...queueOptions, db: toQueueDb(db), supervise: false })
  await boss.start()
  const work = async () => {
    while (!stopping.signal.aborted) {
      const [queued] = await boss.fetch<{ id: number }>(QUEUE)
      if (queued) {
        const { id } = queued.data
        if (!(await runJob(db, handlers, { id, stopping: stopping.signal }))) await requeue(db, id)
        await boss.complete(QUEUE, queued.id)
      } else await pause(POLL_MS)
    }
  }
  const working = work()
  // `stop` rejects with the error; without a handler now, the run would fail without the name of a test.
  working.catch(() => undefined)
  return {
    stop: async () => {
      stopping.abort()
      await working.finally(() => boss.stop({ graceful: false }))
    },
  }
}

/** The job fixture with this worker. */
export const openFastWorkerFixture = async (more?: (db: Db) => Route[]): Promise<JobFixture> => {
  const world = await openJobFixture(more)
  await world.stopWorker()
  let worker = await startFastWorker(world.db)
  return {
    ...world,
    stopWorker: () => worker.stop(),
    restartWorker: async () => {
      await worker.stop()
      worker = await startFastWorker(world.db)
    },
    close: async () => {
      await worker.stop()
      await world.close()
    },
  }
}
