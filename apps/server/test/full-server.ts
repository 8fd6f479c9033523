import type { FastifyServerOptions, InjectOptions } from 'fastify'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeUser } from '../seed/fixtures.ts'
import { allRoutes, rateLimitExempt, seedAll } from '../src/areas/index.ts'
import { authKeys } from '../src/areas/access/sign-in/deps.ts'
import { restrictedSessionAllowList } from '../src/areas/access/sign-in/routes.ts'
import { openSession } from '../src/areas/access/sign-in/session.ts'
import { createDenialAudit } from '../src/areas/audit/denial-audit.ts'
import { configureFileStore } from '../src/areas/files/file-store.ts'
import { startActivation } from '../src/areas/access/sign-in/verification-code/activation.ts'
import { openDb, openPool } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import { createHttpApp } from '../src/http/app.ts'
import { ADMIN_API, mountRoutes } from '../src/http/mount.ts'
import type { RateLimit } from '../src/http/rate-limiter.ts'
import { invalidateSessionCache, authenticateToken } from '../src/http/session-auth.ts'
import { startQueue } from '../src/jobs/queue.ts'
import { folderStore } from '../src/store/folder.ts'
import { requireAuditRows } from './require-audit-rows.ts'
import { cloneSeededDatabase } from './database.ts'
import { SEED_PASSWORD } from './seed-password.ts'
import { quietLog } from './quiet-log.ts'
import { testPrefix } from './kill-leftovers.ts'

export const PASSWORD = SEED_PASSWORD

export type SentRequest = Pick<InjectOptions, 'headers' | 'payload' | 'remoteAddress'> & { token?: string }
export type ReceivedResponse = { status: number; type: string; text: string }

type Given = {
  demoReadonly?: boolean
  /** An accepted write without an audit row is answered as a failure. */
  audited?: boolean
  log?: FastifyServerOptions['loggerInstance']
  pace?: RateLimit
  denials?: RateLimit
}

/** Every call of the product with a database of its own, without a network, for tests that call all of them. */
export const startFullServer = async ({ demoReadonly = false, audited = false, log, pace, denials }: Given = {}) => {
  const root = mkdtempSync(join(tmpdir(), `${testPrefix}whole-`))
  configureFileStore({ store: folderStore(join(root, 'files')), linkKey: randomBytes(32), sheets: root })
  startActivation(randomBytes(32))
  const database = await cloneSeededDatabase()
  const pool = openPool({ ...database.app, max: 6 }, 30)
  const db = openDb(pool)
  await seedAll(db, PASSWORD)
  const queue = await startQueue(db, quietLog)
  const app = await createHttpApp(log ? { loggerInstance: log } : {})
  const keys = authKeys(() => randomBytes(32))
  const deps = {
    db,
    keys,
    testCaptcha: 'ABDEF',
    wait: async () => undefined,
    version: '0.0.0',
    warn: () => undefined,
  }
  /** The calls that succeeded, like `PUT /system/user/update`, by the mounted path. */
  const accepted = new Set<string>()
  app.addHook('onSend', async ({ method, routeOptions }, { statusCode }, payload) => {
    const json = typeof payload === 'string'
    if (json ? payload.startsWith('{"code":200') : statusCode === 200)
      accepted.add(`${method} ${routeOptions.url?.slice(ADMIN_API.length)}`)
    return payload
  })
  if (audited) requireAuditRows(app, pool)
  const routes = allRoutes(deps)
  const paced = pace && { ...pace, not: rateLimitExempt }
  const more = { ...(paced && { rateLimit: paced }), ...(denials && { onDenied: createDenialAudit(db, denials) }) }
  mountRoutes(app, routes, {
    authenticate: authenticateToken(db),
    exempt: restrictedSessionAllowList,
    uploads: root,
    demoReadonly,
    ...more,
  })
  const call = async (
    method: string,
    path: string,
    { token, headers, ...rest }: SentRequest = {},
  ): Promise<ReceivedResponse> => {
    const response = await app.inject({
      // Tests over all calls take methods from the contract, and send broken ones on purpose.
      method: method as 'GET',
      url: `/admin-api${path}`,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...rest,
    })
    return { status: response.statusCode, type: String(response.headers['content-type'] ?? ''), text: response.body }
  }
  const admin = await unscoped(db, 'tests look at every row')
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'admin')
    .executeTakeFirstOrThrow()
  return {
    app,
    db,
    keys,
    database,
    routes,
    accepted,
    call,
    /** A session created without a sign-in: earlier changes of accounts cannot affect it. */
    session: async (userId: number): Promise<string> =>
      (await openSession(db, userId, { ip: '10.0.0.1', userAgent: 'walk', traceId: '' })).accessToken,
    /** The ids of the administrator and of a user without permissions. */
    admin: admin.id,
    nobody: (await makeUser(db, { username: 'nobody' })).id,
    close: async () => {
      invalidateSessionCache('all')
      await queue.stop()
      await app.close()
      await pool.end()
      await database.drop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
export type FullServer = Awaited<ReturnType<typeof startFullServer>>
