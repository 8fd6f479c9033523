import { ExchangeMessage, requiredFields } from '@tocsin/contract/police/exchange'
import { ExchangeError } from './exchange-error.ts'
import type { IncomingMessage } from './incoming-message.ts'

const parse = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    throw new ExchangeError('body', 'is not JSON')
  }
}

/** Reads a message of the JSON interchange; an `ExchangeError` names the field that is wrong. */
export const parseJsonMessage = (source: string): IncomingMessage => {
  const read = ExchangeMessage.safeParse(parse(source))
  if (!read.success) {
    const [issue] = read.error.issues
    const extra = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const path = [...(issue?.path ?? []), ...extra].join('.') || 'body'
    throw new ExchangeError(path, extra.length > 0 ? 'is not a field of this message' : 'is missing or not valid')
  }
  const message = read.data
  const missing = requiredFields[message.type]?.find((name) => message[name] === undefined)
  if (missing) throw new ExchangeError(missing, `is required in ${message.type}`)
  const { references = [], caseNo = null } = message
  if (message.type !== 'ALARM' && references.length === 0 && caseNo === null)
    throw new ExchangeError('references', 'is required without caseNo')
  const text = [message.reason, message.disposition, message.text].filter(Boolean).join(' ')
  return {
    format: 'JSON',
    sender: message.sender,
    identifier: message.identifier,
    sent: new Date(message.sent),
    type: message.type,
    mode: message.mode,
    references,
    caseNo,
    externalNo: message.externalNo ?? null,
    category: message.category ?? null,
    grade: message.grade ?? null,
    schoolCode: message.schoolCode ?? null,
    place: message.place ?? null,
    lng: message.lng ?? null,
    lat: message.lat ?? null,
    summary: message.summary ?? null,
    text: text || null,
  }
}
