import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Log } from '#config'

/** Messages between the worker thread and its process. */
export type WorkerMessage = { level: 'info' | 'warn' | 'error'; text: string }
export const STOP = 'stop'

/** A spreadsheet of a million rows takes a third of this. Beyond it the thread ends and the process survives. */
const HEAP_MB = 512
const RESTART_MS = 1000
const STOP_MS = 8000

type Given = {
  file: URL
  data: unknown
  log: Log
  /** How long the process that starts it has more urgent work. */
  afterMs?: number
}
export type WorkerThread = {
  stop: () => Promise<void>
  /** For tests: ends the thread like a crash. */
  crash: () => Promise<void>
}

/** Keeps one worker thread running: when it dies another one starts, and the queue gives it the same jobs. */
export const startWorkerThread = ({ file, data, log, afterMs = 0 }: Given): WorkerThread => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let current: Worker | undefined
  const start = (): void => {
    const worker = new Worker(file, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    worker.on('message', ({ level, text }: WorkerMessage) => log[level](text))
    worker.on('error', (error) => log.error(`the worker failed: ${error.message}`))
    worker.on('exit', () => {
      if (stopped) return
      log.error('the worker ended; another is started')
      timer = setTimeout(start, RESTART_MS)
    })
    current = worker
  }
  if (afterMs > 0) timer = setTimeout(start, afterMs)
  else start()
  return {
    crash: async () => void (await current?.terminate()),
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      const worker = current
      if (!worker || worker.threadId < 0) return
      const ended = new Promise((done) => worker.once('exit', done))
      worker.postMessage(STOP)
      await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })])
      await worker.terminate()
    },
  }
}
