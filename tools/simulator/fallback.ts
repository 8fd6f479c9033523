import { randomBytes } from 'node:crypto'
import { Ack } from '@tocsin/protocol/ack'
import type { Alarm } from '@tocsin/protocol/alarm'
import { encode } from '@tocsin/protocol/decode'
import { signedHeaders } from '@tocsin/protocol/sign'
import type { DeviceAddress } from '@tocsin/protocol/topics'

const PATH = '/device-api/v1/alarms'
const TIMEOUT_MS = 10_000

export type HttpFallback = { http: string; key: Uint8Array; address: DeviceAddress; stopped: AbortSignal }

/** Sends the alarm over HTTP. Returns the receipt, or null without one: the device tries again later. */
export const postAlarm = async (way: HttpFallback, alarm: Alarm): Promise<Ack | null> => {
  const { http, key, address, stopped } = way
  const body = encode(alarm)
  const nonce = randomBytes(16).toString('base64url')
  const headers = signedHeaders(key, address, alarm.ts, { method: 'POST', path: PATH, nonce, body })
  try {
    const response = await fetch(new URL(PATH, http), {
      method: 'POST',
      body: Buffer.from(body),
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': alarm.eventId },
      signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer: unknown = await response.json()
    return response.ok ? receiptIn(answer, alarm.eventId) : null
  } catch {
    return null
  }
}

/**
 * Sends one alarm after the other, each once while it is queued: a device has one modem, and a recovering platform must
 * not receive all stored presses at once.
 */
export const oneAtATime = (post: (alarm: Alarm) => Promise<void>): ((alarm: Alarm) => void) => {
  const waiting = new Map<string, Alarm>()
  let posting = false
  const postAll = async (): Promise<void> => {
    posting = true
    // The same loop sends alarms that are added during the run.
    for (const [eventId, alarm] of waiting) {
      waiting.delete(eventId)
      await post(alarm)
    }
    posting = false
  }
  return (alarm) => {
    waiting.set(alarm.eventId, alarm)
    if (!posting) void postAll()
  }
}

/** The receipt is the body itself or `data` of the console's envelope; it may omit the event that it answers. */
const receiptIn = (answer: unknown, eventId: string): Ack | null => {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer
  if (typeof data !== 'object' || data === null) return null
  const receipt = Ack.safeParse({ eventId, ...data })
  return receipt.success && receipt.data.eventId === eventId ? receipt.data : null
}
