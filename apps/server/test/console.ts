import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type AuthDeps, authKeys, type AuthKeys } from '../src/areas/access/sign-in/deps.ts'
import { authRoutes, restrictedSessionAllowList } from '../src/areas/access/sign-in/routes.ts'
import { type Db, openDb } from '../src/db/db.ts'
import { type AppOptions, createHttpApp } from '../src/http/app.ts'
import { mountRoutes } from '../src/http/mount.ts'
import type { Route } from '../src/http/route.ts'
import { authenticateToken } from '../src/http/session-auth.ts'
import { requireAuditRows } from './require-audit-rows.ts'

export const CAPTCHA = 'ABDEF'

export type ApiResponse = {
  status: number
  code: number | string
  msg: string
  // Tests read responses of many shapes, and their expectations state the content.
  data: Record<string, never> & { [key: string]: unknown }
  cookie: string | undefined
}

type CallOptions = {
  token?: string
  body?: unknown
  ip?: string
  /** X-Forwarded-For. */
  forwarded?: string
  cookie?: string | undefined
}

export type Console = {
  app: FastifyInstance
  db: Db
  keys: AuthKeys
  /** The delays of sign-ins in seconds, in order; no test really waits. */
  waits: number[]
  /** Set by a test, delays really last until it resolves. */
  holding: { until?: Promise<void> }
  call: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: CallOptions,
  ) => Promise<ApiResponse>
  /** Signs in with a fresh captcha. */
  signIn: (username: string, password: string, options?: CallOptions) => Promise<ApiResponse>
  /** The access token of a user who can sign in. */
  tokenOf: (username: string, password: string) => Promise<string>
}

const answerOf = (response: Awaited<ReturnType<FastifyInstance['inject']>> & object): ApiResponse => {
  const { code, msg, data } = response.json<Omit<ApiResponse, 'status' | 'cookie'>>()
  const cookie = String(response.headers['set-cookie'] ?? '').split(';')[0]
  return { status: response.statusCode, code, msg, data, cookie: cookie || undefined }
}

/** The server's calls with a real database, called without a network: the routes of `main`, with a fixed captcha. */
export const openConsole = async (
  pool: pg.Pool,
  extra: (db: Db, deps: AuthDeps) => Route[] = () => [],
  options: AppOptions = {},
): Promise<Console> => {
  const db = openDb(pool)
  const waits: number[] = []
  let pictures = 0
  const keys = authKeys(() => randomBytes(32))
  const holding: Console['holding'] = {}
  const wait = async (seconds: number) => {
    waits.push(seconds)
    await holding.until
  }
  const app = await createHttpApp(options)
  const deps = { db, keys, testCaptcha: CAPTCHA, wait, version: '0.0.0', warn: () => {} }
  requireAuditRows(app, pool)
  mountRoutes(app, [...authRoutes(deps), ...extra(db, deps)], {
    authenticate: authenticateToken(db),
    exempt: restrictedSessionAllowList,
  })
  const call: Console['call'] = async (method, path, { token, body, ip, forwarded, cookie } = {}) => {
    const response = await app.inject({
      method,
      url: `/admin-api${path}`,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie }),
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      },
      ...(body !== undefined && { payload: body as object }),
      ...(ip && { remoteAddress: ip }),
    })
    return answerOf(response)
  }
  const signIn: Console['signIn'] = async (username, password, options = {}) => {
    pictures += 1
    // Each captcha is requested from a network of its own, so that its rate limit does not affect the test.
    const ip = `10.${Math.floor(pictures / 250)}.${pictures % 250}.9`
    const { data } = await call('GET', '/api/v1/auth/captcha', { ip })
    const body = { username, password, captchaKey: data.captchaKey, captchaCode: CAPTCHA }
    return call('POST', '/api/v1/auth/login', { ...options, body })
  }
  const tokenOf: Console['tokenOf'] = async (username, password) => {
    const { code, msg, data } = await signIn(username, password)
    if (code !== 200) throw new Error(`${username} could not sign in: ${msg}`)
    return String(data.accessToken)
  }
  return { app, db, keys, waits, holding, call, signIn, tokenOf }
}
