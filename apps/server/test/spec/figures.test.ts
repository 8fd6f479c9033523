import { AUTO_CLOSE_SEC, LEASE_SEC, REOPEN_DAYS, SHELVE_MAX_SEC } from '@tocsin/contract/alarm/state-machine'
import { TRUSTED_SKEW_MS } from '@tocsin/contract/device/device'
import { HEARTBEAT_MS, HEARTBEAT_TIMEOUT_MS } from '@tocsin/contract/live'
import { RESEND_AT_MS, RESEND_EVERY_MS } from '@tocsin/protocol/retry'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../seed/fixtures.ts'
import { fallbackMatch } from '../../src/areas/alarm/intake/evaluate-rules.ts'
import { BURST_MS } from '../../src/areas/alarm/intake/normalize-signal.ts'
import { LATE_MS } from '../../src/areas/alarm/intake/signal-times.ts'
import { createCaptcha } from '../../src/areas/access/sign-in/captcha.ts'
import { openSession, refreshSession } from '../../src/areas/access/sign-in/session.ts'
import { seedSystem } from '../../src/areas/access/seed/seed.ts'
import { UNRESPONSIVE_MS } from '../../src/db/embedded/watchdog.ts'
import { type Db, openDb, openPool } from '../../src/db/db.ts'
import { decrypt } from '../../src/db/encryption.ts'
import { defaultTimeouts } from '../../src/http/app.ts'
import { findSettingDefinition } from '../../src/settings/setting-definitions.ts'
import { createFrameGuard } from '../../src/gateway/listener/frame-guard.ts'
import { defaultListenerLimits } from '../../src/gateway/listener/device-listener.ts'
import { FLAP_CHANGES } from '../../src/gateway/liveness/connectivity-sql.ts'
import { SWEEP_MS } from '../../src/gateway/liveness/liveness-monitor.ts'
import { defaultSocketLimits } from '../../src/live/socket.ts'
import { poolSizes, apiRateLimit } from '../../src/server.ts'
import { TIMER_LEASE_SEC } from '../../src/timer/claim.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'

// Figures of the documents that no other test checks: a change must update the document too. The times of a record by
// its level are in areas/alarm/timer/periods.test.ts.

describe('a figure of the design', () => {
  const minute = 60_000
  const somebody = { deviceId: 1, schoolId: null, placeId: null, zone: null }
  it.each([
    ['lease of a claim, s', 'domain 2.8', LEASE_SEC, 30],
    ['review of levels 3 and 4 by itself, s', 'domain 2.8: 24 h', AUTO_CLOSE_SEC, 24 * 3600],
    ['reopening, days', 'domain 2.8', REOPEN_DAYS, 7],
    ['shelf, s', 'domain 2.8: 8 h', SHELVE_MAX_SEC, 8 * 3600],
    ['reopening by a signal, s', 'domain 6.1', fallbackMatch(somebody).reopenWindowSec, 60],
    ['presses of one burst, ms', 'domain 6.2', BURST_MS, 10_000],
    ['late, ms', 'domain 3.4', LATE_MS, 10 * minute],
    ['clock that is believed, ms', 'domain 3.4', TRUSTED_SKEW_MS, 30_000],
    ['repeats of a device, ms', 'domain 3.4', RESEND_AT_MS, [1000, 2000, 4000, 8000, 15_000, 30_000]],
    ['further repeats, ms', 'domain 3.4', RESEND_EVERY_MS, 30_000],
    ['changes that are flapping', 'domain 2.7', FLAP_CHANGES, 6],
    ['states derived again, ms', 'domain 2.7: 60 s at the latest', SWEEP_MS, 5000],
    ['lease of a step, s', 'DESIGN 3', TIMER_LEASE_SEC, 10],
    ['silence of PostgreSQL, ms', 'decision of db/embedded/watch.ts', UNRESPONSIVE_MS, 30_000],
    ['pools', 'DESIGN 3, decision 060', poolSizes, { ingest: 4, timers: 2, sweeps: 2, http: 10 }],
    ['calls of one person', 'trust 6.9', apiRateLimit, expect.objectContaining({ perSecond: 50, atOnce: 100 })],
    ['beat of the hub, ms', 'DESIGN 5', HEARTBEAT_MS, 10_000],
    ['silence that is not live, ms', 'DESIGN 5', HEARTBEAT_TIMEOUT_MS, 25_000],
    [
      'socket',
      'DESIGN 5',
      defaultSocketLimits,
      expect.objectContaining({
        authMs: 5000,
        beatMs: 10_000,
        graceMs: 60_000,
        socketsPerUser: 20,
        unsentBytes: 1024 * 1024,
      }),
    ],
    [
      'front of the broker',
      'issue 2, trust 6.3',
      defaultListenerLimits,
      expect.objectContaining({
        connectMs: 10_000,
        connectBytes: 8192,
        packetBytes: 64 * 1024,
        acceptPerSecond: 500,
        perAddress: 5000,
        recheckMs: 30_000,
      }),
    ],
    ['slow callers, ms', 'issue 22', defaultTimeouts, { headersMs: 15_000, bodyMs: 60_000, uploadMs: 300_000 }],
    ['sessions of one person', 'issue 22', findSettingDefinition('security.max-sessions')?.value, '20'],
    ['files of one person, MB', 'issue 22', findSettingDefinition('file.quota-mb')?.value, '1024'],
    ['free disk space for uploads, MB', 'issue 22', findSettingDefinition('file.min-free-mb')?.value, '2048'],
  ])('%s (%s)', (_what, _source, actual, expected) => {
    expect(actual).toEqual(expected)
  })

  it('accepts the largest packet and no larger one (issue 2)', () => {
    const header = (type: number, length: number) =>
      Buffer.from([type, (length % 128) + 128, (Math.floor(length / 128) % 128) + 128, Math.floor(length / 16_384)])
    const first = (length: number) => {
      const frames = createFrameGuard({
        first: defaultListenerLimits.connectBytes,
        later: defaultListenerLimits.packetBytes,
      })
      return { frames, fault: frames.inspect(header(0x10, length)) }
    }
    expect([8192, 8193].map((length) => first(length).fault)).toEqual([undefined, 'too_large'])
    const later = (length: number) => {
      const { frames } = first(8192)
      frames.inspect(Buffer.alloc(8192))
      return frames.inspect(header(0x30, length))
    }
    expect([65_536, 65_537].map(later)).toEqual([undefined, 'too_large'])
  })
})

describe('a rule without a value (domain 6.1)', () => {
  it('lets an ended alarm ring again for 60 seconds', async () => {
    const database = await cloneDatabase()
    const pool = openPool({ ...database.app, max: 1 }, 30)
    const { reopenWindowSec } = await openDb(pool)
      .insertInto('warnRule')
      .values({ name: 'plain', matchCodes: ['PANIC'], class: 'PANIC', level: 2, dedupBy: 'DEVICE' })
      .returning('reopenWindowSec')
      .executeTakeFirstOrThrow()
    expect(reopenWindowSec).toBe(60)
    await pool.end()
    await database.drop()
  })
})

describe('signing in (issue 2)', () => {
  let database: TestDatabase
  let pool: pg.Pool
  let db: Db
  let userId: number
  beforeAll(async () => {
    database = await cloneDatabase()
    pool = openPool({ ...database.app, max: 2 }, 30)
    db = openDb(pool)
    await seedSystem(db, 'Given-admin-pass-1')
    userId = (await makeUser(db)).id
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })
  const origin = { ip: '10.0.0.1', userAgent: 'test', traceId: '', since: 0 }
  /** Seconds from now, in the transaction that created them. */
  const left = async (trx: Db) => {
    const { rows } = await sql<Record<string, number>>`
      select extract(epoch from max(access_token.expires_at) - now())::float8 as access,
        extract(epoch from session.idle_expires_at - now())::float8 as idle,
        extract(epoch from session.expires_at - now())::float8 as absolute
      from session join access_token on access_token.session_id = session.id
      where session.user_id = ${userId} group by session.id order by session.id desc limit 1`.execute(trx)
    return rows[0]
  }

  it('gives access for 30 minutes, and 12 hours for a refresh, 30 days at most', async () => {
    const given = await db.transaction().execute(async (trx) => {
      const { refreshToken } = await openSession(trx, userId, origin)
      return { refreshToken, left: await left(trx) }
    })
    const full = { access: 30 * 60, idle: 12 * 3600, absolute: 30 * 86_400 }
    expect(given.left).toEqual(full)
    // A refresh one hour before the end of the session extends it by that hour only.
    await db.transaction().execute(async (trx) => {
      await sql`update session set expires_at = now() + interval '1 hour' where user_id = ${userId}`.execute(trx)
      const { outcome } = await refreshSession(trx, randomBytes(32), {
        presented: given.refreshToken,
        origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' },
      })
      expect(outcome).toBe('given')
      expect(await left(trx)).toEqual({ access: 30 * 60, idle: 3600, absolute: 3600 })
    })
  })

  it('asks for five letters within 120 seconds', async () => {
    const key = randomBytes(32)
    const from = Date.now()
    const { captchaKey } = await createCaptcha(db, key, '10.0.0.1')
    const to = Date.now()
    const { answer, expires } = JSON.parse(String(decrypt(key, Buffer.from(captchaKey, 'base64url'))))
    expect(answer).toMatch(/^[A-Z]{5}$/)
    expect(expires).toBeGreaterThanOrEqual(from + 120_000 - 1)
    expect(expires).toBeLessThanOrEqual(to + 120_000 + 1)
  })
})
