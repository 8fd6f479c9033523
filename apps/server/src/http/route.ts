import type { Data, Endpoint, Input } from '@tocsin/contract/endpoint'
import type { Readable } from 'node:stream'
import type { Visibility } from '#db/scope'
import type { UploadedFile } from '#http/upload/uploaded-file'

/** The signed-in person as handlers see him. `permissions` holds every spelling (wire 11.4). */
export type Actor = Visibility & {
  sessionId: number
  deptId: number
  username: string
  nickname: string
  permissions: ReadonlySet<string>
}

export const hasPermission =
  (actor: Actor) =>
  (permission: string): boolean =>
    actor.permissions.has(permission)

/** Where a call came from, by the clock of this process since when, and what it asked; kept with logs and audit. */
export type RequestInfo = {
  ip: string
  userAgent: string
  traceId: string
  since?: number
  /** The address is without its query, which may name people. */
  request?: { method: string; url: string }
}

/** What only sign-in needs of the call itself: the bearer as sent, and a cookie. */
export type AuthTransport = {
  token: string | undefined
  /** Where this call found us, like `https://alarm.example`; not proven, the caller names it. */
  site: string
  cookie: (name: string) => string | undefined
  /** Kept by the browser, never readable by scripts, never sent from another site. */
  setCookie: (name: string, value: string, days: number) => void
}

/** `inline` only for what this server made itself, like re-encoded images; all else is an attachment. */
export type FileResponse = { name: string; type: string; stream: Readable; inline?: boolean; seconds?: number }
type HandlerResult<E extends Endpoint> = E['kind'] extends 'file' ? FileResponse : Data<E>
type Files<E> = E extends { files: infer P }
  ? { files: { [K in keyof P]: readonly [UploadedFile, ...UploadedFile[]] } }
  : unknown
type HandlerInput<E extends Endpoint> = Input<E> &
  Files<E> & {
    actor: E['permission'] extends 'open' ? Actor | undefined : Actor
    origin: RequestInfo
    transport: AuthTransport
    /** Of a demo that nobody may change: a reading leaves undone what it would write on the way. */
    readonly: boolean
  }

export type Route = { endpoint: Endpoint; handle: (given: never) => Promise<unknown> }

/** Binds an endpoint to its function; input and answer types follow from the endpoint. */
export const route = <E extends Endpoint>(
  endpoint: E,
  run: (given: HandlerInput<E>) => Promise<HandlerResult<E>>,
): Route => ({
  endpoint,
  handle: run,
})
