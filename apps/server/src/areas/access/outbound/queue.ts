import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'

/**
 * Checked when the message is sent, so that the requester cannot tell from answer or duration: only to a contact of an
 * enabled user, or only to a contact that no user has.
 */
const onlyTo = z.enum(['USER', 'NOBODY']).optional()

/** Which of the provider's templates; `code` fills it in. */
const template = z.enum(['CODE', 'APPLICATION']).optional()

const Sms = z.strictObject({ channel: z.literal('SMS'), to: z.string(), code: z.string(), template, onlyTo })
const Mail = z.strictObject({
  channel: z.literal('EMAIL'),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  onlyTo,
})
export const Message = z.discriminatedUnion('channel', [Sms, Mail])
export type Message = z.output<typeof Message>
export type Sms = z.output<typeof Sms>
export type Mail = z.output<typeof Mail>

const DAY_SEC = 86_400

/** Writes the message in the caller's transaction: it is sent after the commit, or not at all. */
const enqueue = async (trx: Db, key: Uint8Array, message: Message, lifeSec: number): Promise<void> => {
  await trx
    .insertInto('outbound')
    .values({
      channel: message.channel,
      payload: encrypt(key, Buffer.from(JSON.stringify(message))),
      expiresAt: sql<Date>`now() + make_interval(secs => ${lifeSec})`,
    })
    .execute()
}

/**
 * A mail, sent by the node that claims it and retried until it was sent or expired.
 * @param key the sealing key of messages (`keys.outbound`).
 */
export const sendMail = (trx: Db, key: Uint8Array, mail: Omit<Mail, 'channel'>, lifeSec = DAY_SEC): Promise<void> =>
  enqueue(trx, key, { channel: 'EMAIL', ...mail }, lifeSec)

/** A text message by one of the templates, by default that of codes: providers do not pass free text. */
export const sendSms = (trx: Db, key: Uint8Array, sms: Omit<Sms, 'channel'>, lifeSec = DAY_SEC): Promise<void> =>
  enqueue(trx, key, { channel: 'SMS', ...sms }, lifeSec)

export const decryptMessage = (key: Uint8Array, payload: Uint8Array): Message | undefined => {
  const text = decrypt(key, payload)
  return text && Message.parse(JSON.parse(text.toString()))
}

const DAYS_KEPT = 30

/** Sent and failed messages are kept for a while, without their content. */
export const deleteOldMessages = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('outbound')
    .where('state', '<>', 'PENDING')
    .where('endedAt', '<', sql<Date>`now() - make_interval(days => ${DAYS_KEPT})`)
    .execute()
}
