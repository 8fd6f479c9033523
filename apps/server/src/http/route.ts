import type { Data, Endpoint, Input } from '@tocsin/contract/endpoint'
import type { Readable } from 'node:stream'
import type { Visibility } from '#db/scope'
import type { UploadedFile } from '#http/upload/uploaded-file'

/** The authenticated user as handlers see it. `permissions` holds every spelling (wire 11.4). */
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

/** Where a call came from, its start by this process's clock, and its address; stored with logs and audit. */
export type RequestInfo = {
  ip: string
  userAgent: string
  traceId: string
  since?: number
  /** The address has no query, which may name people. */
  request?: { method: string; url: string }
}

/** Who changes or reads something, and from where; handlers pass it on as it is. */
export type Caller = { actor: Actor; origin: RequestInfo }

/** Parts of the call that only sign-in needs: the bearer token as sent, and a cookie. */
export type AuthTransport = {
  token: string | undefined
  /** The address the caller used, like `https://alarm.example`; unverified. */
  site: string
  cookie: (name: string) => string | undefined
  /** Stored by the browser, unreadable for scripts, never sent from another site. */
  setCookie: (name: string, value: string, days: number) => void
}

/** `inline` only for files that this server made itself, like re-encoded images; all others are attachments. */
export type FileResponse = { name: string; type: string; stream: Readable; inline?: boolean; seconds?: number }
type HandlerResult<E extends Endpoint> = E['kind'] extends 'file' ? FileResponse : Data<E>
type Files<E> = E extends { files: infer P }
  ? { files: { [K in keyof P]: readonly [UploadedFile, ...UploadedFile[]] } }
  : unknown
type HandlerInput<E extends Endpoint> = Input<E> &
  Files<E> & {
    actor: E['permission'] extends 'open' ? Actor | undefined : Actor
    origin: RequestInfo
    /** Absent in calls that are open without a session. */
    caller: E['permission'] extends 'open' ? undefined : Caller
    transport: AuthTransport
    /** In a read-only demo, a read skips what it would write on the way. */
    readonly: boolean
  }

export type Route = { endpoint: Endpoint; handle: (given: never) => Promise<unknown> }

/** Binds an endpoint to its handler; the types of input and response follow from the endpoint. */
export const route = <E extends Endpoint>(
  endpoint: E,
  run: (given: HandlerInput<E>) => Promise<HandlerResult<E>>,
): Route => ({
  endpoint,
  handle: run,
})
