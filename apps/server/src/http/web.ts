import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handleNotFound } from '#http/mount'

/** Served by the sign-in page, an entry of its own (DESIGN 4). */
const signInPaths = ['/login', '/login/mobile', '/login/qr', '/register', '/reset-password', '/activate']

/** The page that most users open first. */
const startPaths = ['/', '/dashboard']

/**
 * Scripts by hash only; antd writes style elements. 'self' covers the own socket under any host name.
 * @param hosts of the map library: scripts, styles, pictures and calls.
 */
const csp = (hashes: string[], hosts: readonly string[]) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...hashes.map((hash) => `'${hash}'`), ...hosts].join(' '),
    ["style-src 'self' 'unsafe-inline'", ...hosts].join(' '),
    ["img-src 'self' data: blob:", ...hosts].join(' '),
    "font-src 'self'",
    "media-src 'self' blob:",
    ["connect-src 'self'", ...hosts].join(' '),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(self), geolocation=(self)',
}

const path = (request: FastifyRequest) => request.url.split('?')[0] ?? '/'

/** A browser navigation; a request by a page accepts any type. */
const navigates = ({ method, headers: { accept } }: FastifyRequest) =>
  method === 'GET' && accept?.includes('text/html') === true

/** Neither a call nor a file of this server. */
export const isPageRoute = (at: string): boolean => !/^\/(admin-api|device-api|exchange-api|assets)(\/|$)/.test(at)

/** The menu is data, so the console itself knows its pages; a script or a program that asks for one gets a 404. */
const wantsPage = (request: FastifyRequest) => navigates(request) && isPageRoute(path(request))

/**
 * Collapses repeated slashes in any spelling: the static route rejects them, and a redirect that began with two, or
 * with a backslash, would lead the browser to another host.
 */
const folded = (at: string) => at.replaceAll(/(?:[\\/]|%2f|%5c){2,}|\\|%5c/gi, '/')

/**
 * Serves the built console: precompressed files, hashed names cached for ever, pages always revalidated.
 * @param dist vite's output folder; a clear error when it is missing.
 * @param mapHosts hosts of the map library that pages may reach.
 */
export const serveWebApp = async (app: FastifyInstance, dist: string, mapHosts: readonly string[]) => {
  if (!existsSync(join(dist, 'index.html'))) throw new Error(`the console is not built: ${dist} has no index.html`)
  const { script } = JSON.parse(readFileSync(join(dist, 'csp.json'), 'utf8')) as { script: string[] }
  const policy = csp(script, mapHosts)
  // The map service checks a key for browsers by the origin of the page.
  const referrer = mapHosts.length > 0 && { 'referrer-policy': 'strict-origin-when-cross-origin' }
  const fileHeaders = { ...headers, ...referrer }
  const page = (reply: FastifyReply, name: string) =>
    reply
      .headers({ ...fileHeaders, 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .sendFile(name, { cacheControl: false })
  await app.register(fastifyStatic, {
    root: dist,
    index: false,
    preCompressed: true,
    globIgnore: ['csp.json'],
    // The static route rejects a folder; here it does not exist.
    allowedPath: (name) => name !== '/csp.json' && !name.endsWith('/'),
    cacheControl: false,
    setHeaders: (reply, file) => {
      for (const [name, value] of Object.entries(fileHeaders)) reply.header(name, value)
      const hashed = file.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    const [items, own] = [path(request), folded(path(request))]
    if (own === items || !isPageRoute(own) || !navigates(request)) return undefined
    return reply.headers(headers).redirect(own + request.url.slice(items.length))
  })
  // Not left to the static route, which denies a folder to clients without compression.
  for (const at of startPaths) app.get(at, (_request, reply) => page(reply, 'dashboard.html'))
  // A browser navigation to something that is no page: a picture of a record, the API document.
  app.get('/favicon.ico', (_request, reply) => reply.headers(headers).redirect('/favicon.svg', 301))
  for (const at of signInPaths) app.get(at, (_request, reply) => page(reply, 'login.html'))
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request) ? page(reply, 'index.html') : handleNotFound(request, reply),
  )
}
