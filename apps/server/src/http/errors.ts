import { codes, type Code } from '@tocsin/contract/codes'
import type { Envelope } from '@tocsin/contract/endpoint'
import { constraintError } from '#db/constraint-error'
import { ValidationError, BusinessError } from '#http/business-error'
import { StoreUnavailableError } from '#store/store'

type ErrorResponse = { status: number; envelope: Envelope; report: boolean }

const refused = (code: Code, status = 200): ErrorResponse => ({
  status,
  envelope: { code: code.code, msg: code.zh, data: null },
  report: false,
})

/**
 * PostgreSQL error classes that mean an invalid value: text, number, date, regular expression, too complex (trust 4).
 */
const callersFault = /^(22|2201|54)/
/** Connection lost, shutting down, out of resources, read-only after a failover or with a full disk. */
const notNow = /^(08|53|57P|58|55P03|57014|25006)/

const sqlState = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown })?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

const unreachable = ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']
const broken = ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOENT', 'EPIPE', 'ETIMEDOUT']
const networkDown = new Set(unreachable.concat(broken))

/** The database is unavailable or out of a resource: the same call may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const code = (error as { code?: unknown })?.code
  if (notNow.test(sqlState(error) ?? '')) return true
  if (typeof code === 'string' && networkDown.has(code)) return true
  const message = error instanceof Error ? error.message : ''
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable|Query read timeout/.test(
    message,
  )
}

const fromDatabase = (error: unknown): ErrorResponse | undefined => {
  const state = sqlState(error)
  const conflict = constraintError(error)
  if (conflict) return toErrorResponse(new BusinessError(conflict.code, conflict.params))
  if (state && callersFault.test(state)) return refused(codes.invalid)
  if (isDatabaseUnavailable(error)) return { ...refused(codes.unavailable, 503), report: true }
  return undefined
}

/** The one place that turns an error into a status and an envelope (codebase 12). */
export const toErrorResponse = (error: unknown): ErrorResponse => {
  if (error instanceof BusinessError) {
    const data = { ...(error.params && { params: error.params }), ...error.data }
    return {
      status: 200,
      envelope: { code: error.code, msg: error.message, data: Object.keys(data).length ? data : null },
      report: false,
    }
  }
  if (error instanceof ValidationError) {
    const envelope = { code: codes.invalid.code, msg: error.message, data: { errors: error.errors } }
    return { status: 200, envelope, report: false }
  }
  if (error instanceof StoreUnavailableError) return { ...refused(codes.filesAway, 503), report: true }
  const http = (error as { statusCode?: number })?.statusCode
  if (http === 413) return refused(codes.tooLarge, 413)
  if (http && http >= 400 && http < 500) return refused(codes.invalid)
  return fromDatabase(error) ?? { ...refused(codes.broken), report: true }
}
