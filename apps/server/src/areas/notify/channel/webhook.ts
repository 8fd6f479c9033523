import { fetchBounded } from '#areas/access/outbound/bounded-fetch'
import { PermanentDeliveryError } from '#areas/access/outbound/provider-call'
import { createHmac } from 'node:crypto'
import type { OutgoingMessage, ProviderReceipt } from './message.ts'
import type { RobotAccount } from './robots.ts'

/** Hex HMAC-SHA256 over `timestamp.body`, so that a captured call cannot be sent again later. */
export const webhookSignature = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** POST of JSON. The id of the delivery is the idempotency key: a repeated call carries the same one. */
export const sendToWebhook = async (
  { url, secret }: RobotAccount,
  message: OutgoingMessage,
): Promise<ProviderReceipt> => {
  const { id, level, title, body: text, subject } = message
  const body = JSON.stringify({ id, level, title, text, subject })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const response = await fetchBounded(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': `delivery-${id}`,
      'x-tocsin-timestamp': timestamp,
      'x-tocsin-signature': `sha256=${webhookSignature(secret, timestamp, body)}`,
    },
    body,
  })
  if (response.ok) return { answer: `HTTP ${response.status}` }
  const why = `the webhook answered ${response.status}`
  throw response.status >= 500 || response.status === 429 ? new Error(why) : new PermanentDeliveryError(why)
}
