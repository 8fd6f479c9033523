import { type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { text } from 'node:stream/consumers'
import { makeUser } from '../seed/fixtures.ts'
import type { AuthDeps } from '../src/areas/access/sign-in/deps.ts'
import { codeRoutes } from '../src/areas/access/sign-in/verification-code/routes.ts'
import type { SettingKey } from '../src/settings/setting-definitions.ts'
import { configurations } from '../src/areas/settings/routes.ts'
import { storeSettingValue } from '../src/settings/secret-setting.ts'
import { invalidateSettings } from '../src/settings/settings-cache.ts'
import { lockRoutes } from '../src/areas/access/people/profile/lock.ts'
import { deliverDue } from '../src/areas/access/outbound/deliver.ts'
import { profileRoutes } from '../src/areas/access/people/profile/routes.ts'
import { qrRoutes } from '../src/areas/access/sign-in/qr/routes.ts'
import { registerRoutes } from '../src/areas/access/sign-in/register/routes.ts'
import { secondFactorRoutes } from '../src/areas/access/sign-in/second-factor/routes.ts'
import { socialRoutes } from '../src/areas/access/sign-in/social/routes.ts'
import { userRoutes } from '../src/areas/access/people/routes.ts'
import { openPool } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import type { Route } from '../src/http/route.ts'
import { invalidateSessionCache } from '../src/http/session-auth.ts'
import { CAPTCHA, openConsole } from './console.ts'
import { cloneSeededDatabase } from './database.ts'
import { SEED_PASSWORD } from './seed-password.ts'

export const password = SEED_PASSWORD

export type Mail = { to: string[]; raw: string }

/**
 * An SMTP server on loopback that stores its mails; `refuse` rejects the next recipients with that code, and `hold`
 * answers a stored mail only when it settles.
 */
export const openMailbox = async () => {
  const mails: Mail[] = []
  const state: { refuse: number | undefined; hold?: Promise<void> } = { refuse: undefined }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (address, _session, done) => {
      if (state.refuse === undefined) return done()
      done(Object.assign(new Error(`no ${address.address} here`), { responseCode: state.refuse }))
    },
    onData: (stream, session, done) => {
      void text(stream).then(async (raw) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        await state.hold
        done()
      })
    },
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.server.address() as AddressInfo
  return {
    mails,
    state,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

/**
 * All sign-in methods, with an SMTP server on loopback and text messages that are appended to a list.
 * @param more further routes to mount.
 */
export const openSignInFixture = async (more: (deps: AuthDeps) => Route[] = () => []) => {
  const database = await cloneSeededDatabase()
  const pool = openPool({ ...database.app, max: 8 }, 30)
  const kept: { deps?: AuthDeps } = {}
  const lines: string[] = []
  const site = await openConsole(pool, (db, given) => {
    const deps = { ...given, warn: (line: string) => void lines.push(line) }
    kept.deps = deps
    const parts = [codeRoutes, secondFactorRoutes, lockRoutes, qrRoutes, socialRoutes, registerRoutes]
    return [
      ...parts.flatMap((routes) => routes(deps)),
      ...configurations.routes(deps),
      ...userRoutes({ db }),
      ...profileRoutes({ db }),
      ...more(deps),
    ]
  })
  const { deps } = kept
  if (!deps) throw new Error('the console was opened without routes')
  const { db } = site
  const all = unscoped(db, 'test')
  const mailbox = await openMailbox()
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) }

  /** Writes a setting like the settings screen, without its audit. */
  const set = async (key: SettingKey, value: string) => {
    const stored = await storeSettingValue(db, deps.keys.setting, key, value)
    await db.updateTable('config').set({ value: stored }).where('key', '=', key).execute()
    invalidateSettings()
  }
  const picture = async () => {
    const { data } = await site.call('GET', '/api/v1/auth/captcha', { ip: `10.7.${pictures++ % 250}.9` })
    return { captchaKey: data.captchaKey, captchaCode: CAPTCHA }
  }
  let pictures = 0
  const deliver = async () => {
    while ((await deliverDue({ db, keys: deps.keys, log })) > 0);
  }
  const sms = (to: string) =>
    lines.flatMap((line) => new RegExp(`message to ${to}: code (\\d{6})`).exec(line)?.[1] ?? [])
  const mailed = (to: string) =>
    mailbox.mails.flatMap((mail) => (mail.to.includes(to) ? (/\b(\d{6})\b/.exec(mail.raw)?.[1] ?? []) : []))

  return {
    ...site,
    pool,
    all,
    deps,
    mailbox,
    lines,
    log,
    set,
    picture,
    deliver,
    /** Every code sent to a contact, oldest first. */
    received: (to: string) => (to.includes('@') ? mailed(to) : sms(to)),
    openChannels: async () => {
      await set('sms.provider', 'console')
      await set('mail.smtp-url', mailbox.url)
      await set('mail.from', 'noreply@tocsin.test')
    },
    /** Requests a code with a fresh captcha. */
    ask: async (contact: string, scene: string, ip = '198.51.100.7') =>
      site.call('POST', '/system/auth/send-sms-code', {
        ip,
        body: { contact, contactType: contact.includes('@') ? 'EMAIL' : 'MOBILE', scene, ...(await picture()) },
      }),
    person: (username: string, more: Parameters<typeof makeUser>[1] = {}) =>
      makeUser(db, { username, password, ...more }),
    /** Resets all rate limits. */
    forgetTries: () => db.deleteFrom('loginGuard').execute(),
    logs: () =>
      all.selectFrom('loginLog').select(['type', 'method', 'result', 'username', 'userId']).orderBy('id').execute(),
    audits: async (subject: string, subjectId: number) =>
      (
        await all
          .selectFrom('auditLog')
          .select('action')
          .where('subject', '=', subject)
          .where('subjectId', '=', subjectId)
          .orderBy('id')
          .execute()
      ).map(({ action }) => action),
    forget: () => invalidateSessionCache('all'),
    close: async () => {
      await site.app.close()
      await mailbox.close()
      await pool.end()
      await database.drop()
      invalidateSettings()
    },
  }
}
export type SignInFixture = Awaited<ReturnType<typeof openSignInFixture>>
