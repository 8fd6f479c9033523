import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { themeScript } from './theme-script.ts'

/** Addresses answered by login.html; everything else is the application. */
const signInPaths = ['/login', '/register', '/reset-password']

const serveSignIn = (request: IncomingMessage, _response: ServerResponse, next: () => void) => {
  const [path, query] = (request.url ?? '').split('?')
  if (path && signInPaths.includes(path)) request.url = `/login.html${query === undefined ? '' : `?${query}`}`
  next()
}

const cspHash = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`

/** A second inline script, or one altered on the way, would be blocked in production only; so the build refuses it. */
const refuseOtherScripts = (page: string, html: string) => {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1])
  if (inline.length === 1 && inline[0] === themeScript) return
  throw new Error(`${page} must contain the theme script and no other inline script, found ${inline.length}`)
}

/** Puts the theme script into both pages and writes its hash to `csp.json` as `{ script: ['sha256-…'] }`. */
export const pages = (): Plugin => ({
  name: 'tocsin:pages',
  configureServer: (server) => void server.middlewares.use(serveSignIn),
  configurePreviewServer: (server) => void server.middlewares.use(serveSignIn),
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', children: themeScript, injectTo: 'head-prepend' }],
  },
  writeBundle: {
    sequential: true,
    handler: async ({ dir = '' }) => {
      for (const page of ['index.html', 'login.html']) {
        refuseOtherScripts(page, await readFile(join(dir, page), 'utf8'))
      }
      await writeFile(join(dir, 'csp.json'), `${JSON.stringify({ script: [cspHash(themeScript)] })}\n`)
    },
  },
})
