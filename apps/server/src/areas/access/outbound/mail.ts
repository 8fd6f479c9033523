import { decryptSetting } from '#settings/secret-setting'
import { getSetting } from '#settings/settings-cache'
import type { Mail } from './queue.ts'
import type { DeliveryDeps } from './sms.ts'
import { PermanentDeliveryError } from './provider-call.ts'

const WAIT_MS = 10_000
/**
 * Of one mail, shorter than the leases of its senders: a server that keeps answering a little resets the other limits.
 */
const MAX_MAIL_MS = 20_000

type OutgoingMail = Pick<Mail, 'to' | 'subject' | 'text'> & {
  /** The same for each attempt: mail servers drop the second copy by its Message-ID. */
  key?: string
}

/** Sends by the configured SMTP server, one connection per mail: codes are few. */
export const deliverMail = async (
  { db, settingKey }: DeliveryDeps,
  { to, subject, text, key }: OutgoingMail,
): Promise<void> => {
  const url = await decryptSetting(db, settingKey, 'mail.smtp-url')
  const from = await getSetting(db, 'mail.from')
  if (!url || !from) throw new PermanentDeliveryError('no mail server is configured')
  const name = await getSetting(db, 'site.title')
  // Loaded with the first mail, because many installations send none.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
    // Texts are our own and never name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from: { name, address: from },
      to,
      subject,
      text,
      ...(key && { messageId: `<${key}@${from.split('@').at(-1)}>` }),
      signal: AbortSignal.timeout(MAX_MAIL_MS),
    })
  } catch (error) {
    const { responseCode } = error as { responseCode?: unknown }
    if (typeof responseCode === 'number' && responseCode >= 500)
      throw new PermanentDeliveryError(`the mail server answered ${responseCode}`)
    throw error
  } finally {
    transport.close()
  }
}
