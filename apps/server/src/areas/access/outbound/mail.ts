import { decryptSetting } from '#settings/secret-setting'
import { getSetting } from '#settings/settings-cache'
import type { Mail } from './queue.ts'
import type { DeliveryDeps } from './sms.ts'
import { PermanentDeliveryError } from './provider-call.ts'

const WAIT_MS = 10_000

/** Sends by the configured SMTP server, one connection a mail: codes are few. */
export const deliverMail = async ({ db, settingKey }: DeliveryDeps, { to, subject, text }: Mail): Promise<void> => {
  const url = await decryptSetting(db, settingKey, 'mail.smtp-url')
  const from = await getSetting(db, 'mail.from')
  if (!url || !from) throw new PermanentDeliveryError('no mail server is configured')
  const name = await getSetting(db, 'site.title')
  // Read with the first mail: many installations send none, and no start waits for it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
    // Texts are ours, and never name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({ from: { name, address: from }, to, subject, text })
  } catch (error) {
    const { responseCode } = error as { responseCode?: unknown }
    if (typeof responseCode === 'number' && responseCode >= 500)
      throw new PermanentDeliveryError(`the mail server answered ${responseCode}`)
    throw error
  } finally {
    transport.close()
  }
}
