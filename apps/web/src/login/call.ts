import { showServerMessage, showStatus } from './text/server-messages.ts'
import { type Language, texts } from './text/texts.ts'

/** [spec 9] */
const timeoutMs = 50_000

export type Failure = {
  /** `storage`: the server accepted, but the browser refuses to store the session. */
  reason: 'timeout' | 'offline' | 'refused' | 'storage'
  status?: number
  code?: unknown
  message?: string
  retryAfterS?: number
  errors?: { field: string; message: string }[]
  /** Further data of the refusal. */
  data?: unknown
}
export type CallResult<T> = { ok: true; data: T } | { ok: false; failure: Failure }

/** A request that never reached the server, as an answer. */
export const failedAnswer = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure })

type Call<T> = {
  method?: 'GET' | 'POST' | 'PUT'
  path: string
  query?: Record<string, string>
  token?: string
  body?: FormData | Record<string, unknown>
  /** Undefined means: the answer has another shape. */
  decode: (data: unknown) => T | undefined
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Calls the server; never throws, every failure is an answer. */
export const call = async <T>({ decode, ...request }: Call<T>): Promise<CallResult<T>> => {
  try {
    const response = await send(request)
    const text = await response.text()
    return readAnswer(response, parse(text), decode)
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    return { ok: false, failure: { reason: timedOut ? 'timeout' : 'offline' } }
  }
}

const send = ({ method = 'GET', path, query, token, body }: Omit<Call<never>, 'decode'>) => {
  const headers = new Headers({ 'tenant-id': '1', accept: 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  // A form sets its own content type, with the boundary.
  if (body && !(body instanceof FormData)) headers.set('content-type', 'application/json')
  return fetch(`/admin-api/${path}${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method,
    headers,
    body: body instanceof FormData || body === undefined ? (body ?? null) : JSON.stringify(body),
    cache: 'no-store',
    credentials: 'same-origin',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readAnswer = <T>(response: Response, envelope: unknown, decode: Call<T>['decode']): CallResult<T> => {
  const failure: Failure = { reason: 'refused', status: response.status }
  if (!isRecord(envelope)) return { ok: false, failure }
  // A missing code and 0 count as success, the string B0001 is an error of the server [spec 8, 9].
  const code = envelope.code || 200
  if (response.ok && code === 200) {
    const data = decode(envelope.data)
    return data === undefined ? { ok: false, failure } : { ok: true, data }
  }
  const retryAfterS = Number(response.headers.get('retry-after'))
  return {
    ok: false,
    failure: {
      ...failure,
      code,
      ...(typeof envelope.msg === 'string' && envelope.msg !== '' && { message: envelope.msg }),
      ...(retryAfterS > 0 && { retryAfterS }),
      errors: readErrors(envelope.data),
      data: envelope.data,
    },
  }
}

const readErrors = (data: unknown) => {
  const errors: unknown[] = isRecord(data) && Array.isArray(data.errors) ? data.errors : []
  return errors.flatMap((error) =>
    isRecord(error) && typeof error.field === 'string' && typeof error.message === 'string'
      ? [{ field: error.field, message: error.message }]
      : [],
  )
}

/** The system error of an answer with status 200 has a fixed message; of an HTTP error the server's is shown [spec 8]. */
const isUnexplained = ({ status, code, message }: Failure) =>
  code === 'B0001' && (message === undefined || status === undefined || status < 400)

/** The message for the user. The server's own sentence for code 500 is never shown [spec 8]. */
export const showFailure = (failure: Failure, language: Language) => {
  const { reason, status, code, message, retryAfterS } = failure
  const t = texts[language]
  if (reason === 'timeout') return t.timedOut
  if (reason === 'offline') return t.offline
  if (reason === 'storage') return t.storageBlocked
  if (isUnexplained(failure)) return t.systemError
  const fixed = code === 500 || code === 901 ? showStatus(code, language) : undefined
  const value = message === undefined ? undefined : showServerMessage(message, language)
  const sentence = fixed ?? value ?? (status === undefined ? undefined : showStatus(status, language)) ?? t.systemError
  if (retryAfterS === undefined) return sentence
  return `${sentence}${language === 'en' ? '. ' : '。'}${t.retryAfter(retryAfterS)}`
}
