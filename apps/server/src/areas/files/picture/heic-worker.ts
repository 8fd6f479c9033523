import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import decoder from 'heic-decode'
import type { HeicJob, HeicResult } from './decode-heic.ts'

// The thread of one picture: decoding takes seconds of one core, and alarms share the main thread.

const decode = async ({ path, maxPixels }: HeicJob): Promise<HeicResult> => {
  // The first picture is the one that phones show; the others are previews or a burst.
  const [picture] = await decoder.all({ buffer: await readFile(path) })
  if (!picture) return 'format'
  if (picture.width * picture.height > maxPixels) return 'tooBig'
  const { data, width, height } = await picture.decode()
  return { data: new Uint8Array(data.buffer), width, height, channels: 4 }
}

const result = await decode(workerData as HeicJob)
parentPort?.postMessage(result, typeof result === 'string' ? [] : [result.data.buffer])
