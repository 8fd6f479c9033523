import { Worker } from 'node:worker_threads'

export type HeicJob = { path: string; maxPixels: number }
export type HeicPixels = { data: Uint8Array<ArrayBuffer>; width: number; height: number; channels: 4 }
export type HeicResult = HeicPixels | 'tooBig' | 'format'

const TIME_LIMIT_MS = 30_000
const HEAP_MB = 128

/** Brands of the container with HEVC pictures; AVIF has its own. */
const brands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** @param head the first bytes of a file */
export const isHeic = (head: Buffer): boolean =>
  head.toString('latin1', 4, 8) === 'ftyp' && brands.has(head.toString('latin1', 8, 12))

/**
 * The pixels of a HEIC picture, upright. A thread of its own decodes it; a file that makes the decoder fail, or takes
 * too long, ends that thread and nothing else.
 */
export const decodeHeic = (job: HeicJob): Promise<HeicResult> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
      workerData: job,
      execArgv: [],
      // The decoder prints its complaints about a broken file.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    const end = (result: HeicResult) => {
      clearTimeout(timer)
      resolve(result)
      void worker.terminate()
    }
    const timer = setTimeout(() => end('format'), TIME_LIMIT_MS)
    worker.once('message', end)
    worker.once('error', () => end('format'))
    worker.once('exit', () => end('format'))
  })
