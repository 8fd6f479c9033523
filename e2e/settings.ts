import type { SettingKey } from '../apps/server/src/settings/setting-definitions.ts'
import { unscoped } from '../apps/server/src/db/scope.ts'
import { openMailbox } from '../apps/server/test/sign-in-fixture.ts'
import { callAs } from './api-call.ts'
import { ADMIN, type E2eServer } from './setup/e2e-server.ts'
import { eventually } from './setup/browser-test.ts'

/** Changes settings of the running server as its administrator does. */
export const setSettings = async (site: E2eServer, settings: Partial<Record<SettingKey, string>>): Promise<void> => {
  const all = unscoped(site.db, 'e2e')
  const admin = all.selectFrom('users').select('id').where('username', '=', ADMIN.username)
  const { id: userId } = await admin.executeTakeFirstOrThrow()
  for (const [key, value] of Object.entries(settings)) {
    const { id } = await all.selectFrom('config').select('id').where('key', '=', key).executeTakeFirstOrThrow()
    await callAs(site, userId, { method: 'PUT', path: '/infra/config/update', body: { id, value } })
  }
}

/** Makes codes deliverable: text messages into the log of the server, mail to a test mail server. */
export const openPost = async (site: E2eServer) => {
  const mailbox = await openMailbox()
  await setSettings(site, {
    'sms.provider': 'console',
    'mail.smtp-url': mailbox.url,
    'mail.from': 'noreply@tocsin.test',
  })
  const sent = (contact: string): string[] => {
    const mails = mailbox.mails.filter(({ to }) => to.includes(contact)).map(({ raw }) => raw)
    const patterns = contact.includes('@') ? [mails.join('\n'), /\b(\d{6})\b/g] : [site.log(), messageTo(contact)]
    const [text, pattern] = patterns as [string, RegExp]
    return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
  }
  return {
    mails: mailbox.mails,
    close: mailbox.close,
    /** Returns the next code sent to a contact after `act` requested it. */
    codeTo: async (contact: string, act: () => Promise<unknown>): Promise<string> => {
      const before = sent(contact).length
      await act()
      await eventually(() => sent(contact).length).toBeGreaterThan(before)
      return sent(contact).at(-1) ?? ''
    },
  }
}

const messageTo = (mobile: string) => new RegExp(`message to ${mobile}: code (\\d{6})`, 'g')
