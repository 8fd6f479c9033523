import { type KillReason, killReason, type Params, SESSION_KILLED } from '@tocsin/contract/codes'
import type { FieldError } from '@tocsin/contract/issue'

/** A request that never reached the server, or whose answer could not be read, in place of its code. */
export type TransportFault = 'OFFLINE' | 'TIMEOUT' | 'MALFORMED'

type Details = {
  /** The server's number, the words `B0001` and `A0230` of SPEC 9, or a Fault. */
  code: number | string
  msg: string
  status?: number | undefined
  params?: Params | undefined
  errors?: FieldError[] | undefined
  traceId?: string | undefined
  /** Further data of the refusal, such as `current` of a stale version. */
  data?: unknown
}

/** Thrown by every call, and only by calls. */
export class ApiError extends Error {
  readonly code: number | string
  readonly msg: string
  readonly status: number | undefined
  readonly params: Params | undefined
  readonly errors: FieldError[]
  readonly traceId: string | undefined
  readonly data: unknown

  constructor({ code, msg, status, params, errors = [], traceId, data }: Details) {
    super(msg || String(code))
    this.code = code
    this.msg = msg
    this.status = status
    this.params = params
    this.errors = errors
    this.traceId = traceId
    this.data = data
  }
}

export const fault = (code: TransportFault, status?: number) => new ApiError({ code, msg: '', status })

const passing = new Set<number | string>(['OFFLINE', 'TIMEOUT', 429, 502, 503, 504])

/** True when the same call may succeed a moment later: it says nothing about the session or the input. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (passing.has(error.code) || (error.status !== undefined && passing.has(error.status)))

/** True when the server failed or its answer could not be read: it says nothing about the session. */
export const isUnexpectedError = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  [500, 'B0001', 'MALFORMED'].includes(error.code) ||
  (error.status !== undefined && error.status >= 500)

export const isSessionKilled = (error: unknown): boolean => error instanceof ApiError && error.code === SESSION_KILLED

/** The reason, where the server gives one. */
export const killReasonOf = (error: unknown): KillReason | undefined => {
  const data = error instanceof ApiError ? error.data : undefined
  return typeof data === 'object' && data !== null && 'reason' in data ? killReason(data.reason) : undefined
}
