import { endpoints } from '@tocsin/contract/all'
import { codes } from '@tocsin/contract/codes'
import { labelOf } from '@tocsin/contract/field'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { tables } from '../apps/server/src/db/tables.ts'
import { openapiFiles, openapiFolder } from './openapi.ts'
import { isTest, read, sourceFiles } from './source-tree.ts'

/**
 * Calls without a session: signing in and out, and links that carry their own proof. Adding to this list is a decision.
 */
const open = [
  'DELETE /api/v1/auth/logout',
  'GET /api/v1/auth/captcha',
  'GET /infra/file/:id',
  'GET /system/auth/qr-state',
  'GET /system/auth/sign-in-options',
  'GET /system/auth/social-redirect',
  'POST /api/v1/auth/login',
  'POST /insight/wall-board/base',
  'POST /insight/wall-board/open',
  'POST /insight/wall-board/tile',
  'POST /system/auth/activate',
  'POST /system/auth/login',
  'POST /system/auth/logout',
  'POST /system/auth/qr-ticket',
  'POST /system/auth/refresh-token',
  'POST /system/auth/register',
  'POST /system/auth/reset-password',
  'POST /system/auth/second-factor',
  'POST /system/auth/send-sms-code',
  'POST /system/auth/sms-login',
  'POST /system/auth/social-login',
]

const spellings = endpoints.flatMap((e) =>
  [{ method: e.method, path: e.path }, ...(e.also ?? [])].map(({ method = e.method, path }) => ({
    call: `${method} ${path}`,
    permission: e.permission,
  })),
)

describe('the calls', () => {
  it('are in docs/openapi as they are now (npm run openapi)', () => {
    const files = openapiFiles()
    expect(readdirSync(openapiFolder).sort()).toEqual(Object.keys(files).sort())
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(openapiFolder, name), 'utf8'), name).toBe(text)
  })

  it('have one method and path each', () => {
    const calls = spellings.map(({ call }) => call)
    expect(calls.filter((call, i) => calls.indexOf(call) !== i)).toEqual([])
  })

  it('need no session only where this test lists them', () => {
    const found = spellings.filter(({ permission }) => permission === 'open').map(({ call }) => call)
    expect(found.sort()).toEqual(open)
  })

  it('require a permission of the form area:entity:verb', () => {
    const strings = endpoints.map((e) => e.permission).filter((p) => p !== 'open' && p !== 'token')
    expect(strings.filter((p) => !/^[a-z]+:[a-z-]+:[a-z-]+$/.test(p))).toEqual([])
  })

  it('state their visibility when they need a permission or a sign-in and touch rows of people or schools', () => {
    const unlimited = endpoints.filter((e) => e.scope === 'none').map((e) => e.path)
    expect(
      unlimited.filter(
        (path) =>
          !/^\/(system\/auth|api\/v1\/auth|system\/(menu|role|permission|dict-type|dict-data)|api\/v1\/(?:dict|config|roles)|infra\/config|infra\/codegen|api\/v1\/menus|warn\/rule|notify\/policy|device\/model|device\/procedure|device\/rollout\/(?:packages|add-package)|security\/headcount\/rules|device\/device\/unknown|insight\/map\/(?:base|library|tile|route)|insight\/wall-board\/(?:base|tile)|insight\/readiness-weights\/(?:list|publish))/.test(
            path,
          ),
      ),
    ).toEqual([])
  })

  it('label every field of a form in both languages', () => {
    const unnamed = endpoints.flatMap((e) =>
      [e.query, e.body].flatMap((schema) =>
        Object.entries((schema as z.ZodObject | undefined)?.shape ?? {})
          .filter(([, field]) => !labelOf(field as z.ZodType))
          .map(([name]) => `${e.path} ${name}`),
      ),
    )
    expect(unnamed).toEqual([])
  })
})

describe('codes', () => {
  it('have one number per meaning, except the general ones', () => {
    const meaning = (zh: string) => zh.split('：')[0]
    const doubled = Object.values(codes).filter((c) =>
      Object.values(codes).some((d) => c.code >= 1000 && d.code === c.code && meaning(d.zh) !== meaning(c.zh)),
    )
    expect(doubled).toEqual([])
  })

  it('keep the messages that compatible clients match, byte for byte (SPEC 8)', () => {
    expect(
      [
        codes.invalidRefresh,
        codes.refreshExpired,
        codes.userExists,
        codes.captchaUsed,
        codes.mobileExists,
        codes.captchaGone,
      ].map((c) => c.zh),
    ).toEqual([
      '无效的刷新令牌',
      '刷新令牌已过期',
      '用户账号已经存在',
      '验证码已使用',
      '手机号已经存在',
      '验证码不存在',
    ])
  })
})

describe('unscoped reads', () => {
  const uses = sourceFiles
    .filter((file) => file.startsWith('apps/server/src/') && !isTest(file) && !file.endsWith('/db/scope.ts'))
    .flatMap((file) =>
      [...read(file).matchAll(/\bunscoped\(([^,()]*(?:\([^)]*\))?[^,()]*),\s*([^)]*)\)/g)].map((m) => ({
        file,
        reason: m[2] ?? '',
      })),
    )

  it('always give a reason', () => {
    for (const { file, reason } of uses) console.info(`unscoped: ${file}: ${reason}`)
    expect(uses.filter(({ reason }) => !/^'[^']{5,}'$/.test(reason.trim().replace(/,$/, '')))).toEqual([])
  })

  // A handle has the type UnscopedDb only through `unscoped`; the compiler enforces it.
  const unlimited = /\bunscoped\(|\bUnscopedDb\b/

  it('are the only place where raw SQL names a scoped table', () => {
    const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const scoped = Object.entries(tables).flatMap(([name, { sight }]) => (sight === 'open' ? [] : [snake(name)]))
    const raw = new RegExp(`\\b(?:from|join|update|into)\\s+(?:${scoped.join('|')})\\b`)
    const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
    const naming = sourceFiles.filter(
      (file) => file.startsWith('apps/server/src/') && !isTest(file) && raw.test(read(file).replaceAll(comments, '')),
    )
    expect(naming).toContain('apps/server/src/areas/access/roles/dept/permission-holders.ts')
    expect(naming.filter((file) => !unlimited.test(read(file)))).toEqual([])
  })
})
