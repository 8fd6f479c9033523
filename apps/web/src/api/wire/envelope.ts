import { OK } from '@tocsin/contract/endpoint'
import type { Params } from '@tocsin/contract/codes'
import type { FieldError, Rule } from '@tocsin/contract/issue'
import { ApiError, fault } from '../error.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The compiler reports a rule of the contract that is missing here. */
const rules: Record<Rule, true> = {
  required: true,
  empty: true,
  type: true,
  unknown: true,
  tooShort: true,
  tooLong: true,
  tooFew: true,
  tooMany: true,
  tooSmall: true,
  tooBig: true,
  step: true,
  format: true,
  choice: true,
  fileType: true,
  picture: true,
  pictureKind: true,
  matched: true,
  fixed: true,
  unseen: true,
  differs: true,
}

/** A rule that this build does not know is shown by the message that came with it. */
const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string'

const readErrors = (data: unknown): FieldError[] => {
  const errors: unknown[] = isRecord(data) && Array.isArray(data.errors) ? data.errors : []
  return errors.filter(isFieldError).map((e) => (Object.hasOwn(rules, e.rule) ? e : { ...e, rule: 'type' }))
}

const readParams = (data: unknown): Params | undefined => {
  if (!isRecord(data) || !isRecord(data.params)) return undefined
  const fit = Object.entries(data.params).filter(([, v]) => typeof v === 'string' || typeof v === 'number')
  return Object.fromEntries(fit) as Params
}

/**
 * Reads an answer by wire 2.2: within HTTP 2xx a code that is missing, 0 or 200 is success.
 * @returns `data` as received. Throws ApiError for everything else.
 */
export const openEnvelope = (status: number, text: string): unknown => {
  const envelope = parse(text)
  const fine = status >= 200 && status < 300
  if (!isRecord(envelope)) {
    if (fine) throw fault('MALFORMED', status)
    throw new ApiError({ code: status, msg: '', status })
  }
  const code = envelope.code ?? OK
  if (fine && (code === OK || code === 0)) return envelope.data ?? null
  throw new ApiError({
    code: typeof code === 'number' || typeof code === 'string' ? code : status,
    msg: typeof envelope.msg === 'string' ? envelope.msg : '',
    status,
    params: readParams(envelope.data),
    errors: readErrors(envelope.data),
    ...(typeof envelope.traceId === 'string' && { traceId: envelope.traceId }),
    data: envelope.data,
  })
}
