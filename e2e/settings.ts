import { openSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import type { SettingKey } from '../apps/server/src/settings/setting-definitions.ts'
import { unscoped } from '../apps/server/src/db/scope.ts'
import { openMailbox } from '../apps/server/test/sign-in-fixture.ts'
import { ADMIN, type E2eServer } from './setup/e2e-server.ts'
import { eventually } from './setup/browser-test.ts'

/** Changes settings of the running product as its administrator does. */
export const setSettings = async (site: E2eServer, settings: Partial<Record<SettingKey, string>>): Promise<void> => {
  const all = unscoped(site.db, 'e2e')
  const admin = all.selectFrom('users').select('id').where('username', '=', ADMIN.username)
  const { id: userId } = await admin.executeTakeFirstOrThrow()
  const { accessToken } = await openSession(site.db, userId, { ip: '127.0.0.1', userAgent: 'e2e', traceId: 'e2e' })
  for (const [key, value] of Object.entries(settings)) {
    const { id } = await all.selectFrom('config').select('id').where('key', '=', key).executeTakeFirstOrThrow()
    const answer = await fetch(`${site.url}/admin-api/infra/config/update`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ id, value }),
    })
    const { code, msg } = (await answer.json()) as { code: number; msg: string }
    if (code !== 200) throw new Error(`${key}: ${msg}`)
  }
}

/** Codes can be sent from now on: text messages into the log of the server, mail to a server of the test. */
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
    /** The next code that reaches a contact after `act` asked for it. */
    codeTo: async (contact: string, act: () => Promise<unknown>): Promise<string> => {
      const before = sent(contact).length
      await act()
      await eventually(() => sent(contact).length).toBeGreaterThan(before)
      return sent(contact).at(-1) ?? ''
    },
  }
}

const messageTo = (mobile: string) => new RegExp(`message to ${mobile}: code (\\d{6})`, 'g')
