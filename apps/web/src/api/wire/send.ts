import type { Endpoint } from '@tocsin/contract/endpoint'
import { type PrefetchedResponse, takePrefetched } from './prefetch.ts'
import { encodeCall } from './encode.ts'
import { fault } from '../error.ts'
import { request } from './request.ts'
import { setServerClock } from '../server-clock.ts'

/** SPEC 9. */
export const TIMEOUT_MS = 50_000

export type WireResponse =
  | { status: number; text: string; file?: undefined }
  | { status: number; file: Blob; name: string }

/** Both the caller's signal and the time limit; AbortSignal.any is newer than the oldest supported browser. */
const limited = (signal: AbortSignal | undefined, timeoutMs: number) => {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const start = () => setTimeout(() => controller.abort(fault('TIMEOUT')), timeoutMs)
  let timer = start()
  const moved = () => {
    clearTimeout(timer)
    timer = start()
  }
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const done = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, moved, done }
}

const fileName = (header: string | null): string => {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '') ?? []
  return encoded ? decodeURIComponent(encoded) : 'download'
}

/** The body as it arrives; `onBytes` receives the number of bytes so far. */
const collect = async (response: Response, onBytes: (bytes: number) => void): Promise<Blob> => {
  const reader = response.body?.getReader()
  if (!reader) return response.blob()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value)
    bytes += next.value.length
    onBytes(bytes)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}

type OnBytes = (bytes: number) => void

/** Errors of file calls are JSON envelopes, so the content type of the answer tells which it is (wire 1.0). */
const readAnswer = async (e: Endpoint, response: Response, onBytes: OnBytes): Promise<WireResponse> => {
  const json = /json/.test(response.headers.get('content-type') ?? '')
  if (e.kind !== 'file' || json || !response.ok) return { status: response.status, text: await response.text() }
  const name = fileName(response.headers.get('content-disposition'))
  return { status: response.status, file: await collect(response, onBytes), name }
}

type Options = {
  base: string
  token: string | null
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Receives the number of bytes so far; the time limit of a file is that of no progress. */
  onBytes?: OnBytes | undefined
}

/** One HTTP exchange. Throws ApiError OFFLINE or TIMEOUT, and the caller's own abort as it is. */
export const send = async (e: Endpoint, input: unknown, options: Options): Promise<WireResponse> => {
  const { path, body, type } = encodeCall(e, input)
  const { base, token, onBytes } = options
  const limit = limited(options.signal, options.timeoutMs ?? TIMEOUT_MS)
  const { signal } = limit
  const ask = async (): Promise<PrefetchedResponse> => ({
    response: await request(base + path, { method: e.method, token, signal, body, type }),
    at: Date.now(),
  })
  try {
    const { response, at } = await ((e.method === 'GET' && takePrefetched(base + path, token, signal)) || ask())
    setServerClock(response.headers.get('date'), at)
    return await readAnswer(e, response, (bytes) => {
      limit.moved()
      onBytes?.(bytes)
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw signal.aborted ? fault('TIMEOUT') : fault('OFFLINE')
  } finally {
    limit.done()
  }
}
