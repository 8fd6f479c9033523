import { timingSafeEqual } from 'node:crypto'
import { webhookSignature } from '#areas/notify/channel/webhook'
import type { Db } from '#db/db'
import { decryptSetting } from '#settings/secret-setting'

/** `settingKey` decrypts secret settings. */
export type ExchangeDeps = { db: Db; settingKey: Uint8Array }
export type SignedBody = { timestamp: string; signature: string; body: string }

/** A captured call is useless afterwards; within it the message is a repeat. */
const MAX_SKEW_SEC = 300

const isEqual = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The signature of the outgoing webhook: HMAC-SHA256 over `timestamp.body`. Without a key nothing is accepted. */
export const isSignedMessage = async (
  { db, settingKey }: ExchangeDeps,
  { timestamp, signature, body }: SignedBody,
): Promise<boolean> => {
  const secret = await decryptSetting(db, settingKey, 'exchange.in-secret')
  if (secret === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_SKEW_SEC) return false
  return isEqual(signature, `sha256=${webhookSignature(secret, timestamp, body)}`)
}
