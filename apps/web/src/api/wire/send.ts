import type { Endpoint } from '@tocsin/contract/endpoint'
import { encodeCall } from './encode.ts'
import { fault } from '../error.ts'

/** SPEC 9. */
export const TIMEOUT_MS = 50_000

export type Answer = { status: number; text: string; file?: undefined } | { status: number; file: Blob; name: string }

/** Both the caller's signal and the time limit; AbortSignal.any is younger than the oldest browser of the build. */
const limited = (signal: AbortSignal | undefined, timeoutMs: number) => {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(fault('TIMEOUT')), timeoutMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const done = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, done }
}

const fileName = (header: string | null): string => {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '') ?? []
  return encoded ? decodeURIComponent(encoded) : 'download'
}

/** Errors of file calls are JSON envelopes, so the type of the answer tells which it is (wire 1.0). */
const readAnswer = async (e: Endpoint, response: Response): Promise<Answer> => {
  const json = /json/.test(response.headers.get('content-type') ?? '')
  if (e.kind !== 'file' || json || !response.ok) return { status: response.status, text: await response.text() }
  const name = fileName(response.headers.get('content-disposition'))
  return { status: response.status, file: await response.blob(), name }
}

type Options = { base: string; token: string | null; signal?: AbortSignal | undefined; timeoutMs?: number | undefined }

/** One HTTP exchange. Throws ApiError OFFLINE or TIMEOUT, and the caller's own abort as it is. */
export const send = async (e: Endpoint, input: unknown, options: Options): Promise<Answer> => {
  const { path, body, type } = encodeCall(e, input)
  const headers = new Headers({ 'tenant-id': '1', accept: 'application/json' })
  if (type) headers.set('content-type', type)
  if (options.token) headers.set('authorization', `Bearer ${options.token}`)
  const limit = limited(options.signal, options.timeoutMs ?? TIMEOUT_MS)
  try {
    const response = await fetch(options.base + path, {
      method: e.method,
      headers,
      body,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: limit.signal,
    })
    return await readAnswer(e, response)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw limit.signal.aborted ? fault('TIMEOUT') : fault('OFFLINE')
  } finally {
    limit.done()
  }
}
