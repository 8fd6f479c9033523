import type { Data, Endpoint, Input } from '@tocsin/contract/endpoint'
import { codes, type KillReason } from '@tocsin/contract/codes'
import { z } from 'zod'
import { openEnvelope } from './envelope.ts'
import { ApiError, fault, isSessionKilled, killReasonOf } from '../error.ts'
import { type WireResponse, send } from './send.ts'
import { sendFiles } from './send-files.ts'

export type ApiTransport = {
  /** Prefix of all endpoint paths, for example `/admin-api`. */
  base: string
  token: () => string | null
  /** A token newer than the rejected one. Throws ApiError when there is none. */
  refreshToken: (refused: string | null) => Promise<string>
  /** Another user ended the session (A0230), or a renewed token was rejected too. */
  onSessionKilled: (why: KillReason | undefined) => void
  onUnauthorized: () => void
  /** Called when the account must change its password first. */
  onMustChangePassword: () => void
  /** The session is locked: only unlocking and signing out are answered. */
  onLocked: () => void
  /** Instead of the 50 s of SPEC 9. */
  timeoutMs?: number
}

const read = (answer: WireResponse): unknown => (answer.file ? null : openEnvelope(answer.status, answer.text))

const decode = <E extends Endpoint>(e: E, data: unknown): Data<E> => {
  // `never` because the value of the wire is not yet validated.
  const result = z.safeDecode(e.data, data as never)
  if (!result.success) throw fault('MALFORMED')
  // Data<E> is defined as the output of e.data.
  return result.data as Data<E>
}

const unauthenticated = (error: unknown): boolean =>
  error instanceof ApiError && error.code === codes.unauthenticated.code && error.msg !== codes.refreshExpired.zh

/** Sends with the bearer token; a 401 within HTTP 200 gets one fresh token and one retry (SPEC 4). */
const exchange = async (door: ApiTransport, e: Endpoint, go: (bearer: string | null) => Promise<WireResponse>) => {
  const token = door.token()
  const once = async (bearer: string | null) => {
    const answer = await go(bearer)
    return { answer, data: read(answer) }
  }
  try {
    return await once(token)
  } catch (error) {
    if (!unauthenticated(error) || e.permission === 'open') throw error
    const fresh = await door.refreshToken(token)
    try {
      return await once(fresh)
    } catch (again) {
      if (unauthenticated(again)) door.onUnauthorized()
      throw again
    }
  }
}

const watched = async <T>(door: ApiTransport, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (isSessionKilled(error)) door.onSessionKilled(killReasonOf(error))
    if (error instanceof ApiError && error.code === codes.mustChangePassword.code) door.onMustChangePassword()
    if (error instanceof ApiError && error.code === codes.locked.code) door.onLocked()
    throw error
  }
}

type Rest<E extends Endpoint> = E extends { params: z.ZodType } | { query: z.ZodType } | { body: z.ZodType }
  ? [input: Input<E>, signal?: AbortSignal]
  : [input?: Input<E>, signal?: AbortSignal]

const sending =
  (door: ApiTransport, e: Endpoint, input: unknown, signal: AbortSignal | undefined) =>
  (token: string | null): Promise<WireResponse> =>
    send(e, input, { base: door.base, token, signal, timeoutMs: door.timeoutMs })

/** `files` by part; the progress counts from 0 to 1, and from 0 again when a renewed token needs a retry. */
export type UploadInput<E extends Endpoint> = Input<E> & { files: { [K in keyof E['files']]: readonly File[] } }
export type UploadOptions = { signal?: AbortSignal; onProgress?: (part: number) => void }

/** Typed calls. A test creates its own client, the browser has one in call.ts. */
export const createApiClient = (door: ApiTransport) => ({
  call: <E extends Endpoint>(e: E, ...[input, signal]: Rest<E>): Promise<Data<E>> =>
    watched(door, async () => decode(e, (await exchange(door, e, sending(door, e, input, signal))).data)),

  /** Response of a `file` endpoint with its file name. */
  fetchFile: async <E extends Endpoint>(e: E, ...[input, signal]: Rest<E>): Promise<{ name: string; file: Blob }> =>
    watched(door, async () => {
      const { answer } = await exchange(door, e, sending(door, e, input, signal))
      if (!answer.file) throw fault('MALFORMED', answer.status)
      return { name: answer.name, file: answer.file }
    }),

  /** The same for a file that may be large: reports the received bytes, and can be aborted. */
  fetchLarge: async <E extends Endpoint>(
    e: E,
    input: Input<E>,
    { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
  ): Promise<{ name: string; file: Blob }> =>
    watched(door, async () => {
      const go = (token: string | null) => send(e, input, { base: door.base, token, signal, onBytes })
      const { answer } = await exchange(door, e, go)
      if (!answer.file) throw fault('MALFORMED', answer.status)
      return { name: answer.name, file: answer.file }
    }),

  /** A call of kind `upload`, with progress. */
  upload: <E extends Endpoint>(e: E, input: UploadInput<E>, options: UploadOptions = {}): Promise<Data<E>> =>
    watched(door, async () => {
      const go = (token: string | null) => sendFiles(e, input, { base: door.base, token, ...options })
      return decode(e, (await exchange(door, e, go)).data)
    }),
})
