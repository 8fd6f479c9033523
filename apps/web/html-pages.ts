import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Plugin, type Rolldown, runnerImport } from 'vite'

/**
 * The only inline script. It runs before the first paint, so that a dark theme does not flash white,
 * and shows the chosen language before the other scripts are loaded.
 * Both pages contain exactly this text, so one hash in the content security policy covers both.
 */
const themeScript =
  "(function(){var t=null,l=null;try{t=localStorage.getItem('theme');l=localStorage.getItem('language')}catch(e){}" +
  "var h=document.documentElement,d=t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches);" +
  "h.classList.toggle('dark',d);h.lang=l==='en'?'en':'zh-CN'})()"

/** Addresses answered by login.html; all others are the application. */
const signInPaths = ['/login', '/login/mobile', '/login/qr', '/register', '/reset-password', '/activate']

const serveSignIn = (request: IncomingMessage, _response: ServerResponse, next: () => void) => {
  const [path, query] = (request.url ?? '').split('?')
  if (path && signInPaths.includes(path)) request.url = `/login.html${query === undefined ? '' : `?${query}`}`
  next()
}

const cspHash = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`

/** A second inline script, or a modified one, would be blocked in production only, so the build rejects it. */
const refuseOtherScripts = (page: string, html: string) => {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1])
  if (inline.length === 1 && inline[0] === themeScript) return
  throw new Error(`${page} must contain the theme script and no other inline script, found ${inline.length}`)
}

type Chunk = Rolldown.OutputChunk

/** A part of the build, and everything it needs to run. */
const withImports = (bundle: Rolldown.OutputBundle, is: (chunk: Chunk) => boolean): Chunk[] => {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const waiting = chunks.filter(is)
  const seen = new Set(waiting)
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    const imported = chunks.filter((other) => chunk?.imports.includes(other.fileName) && !seen.has(other))
    for (const other of imported) seen.add(other)
    waiting.push(...imported)
  }
  return [...seen]
}

/** Files that are loaded before the page of `entry` can start. */
const startingModules = (bundle: Rolldown.OutputBundle, entry: string) =>
  withImports(bundle, (chunk) => chunk.isEntry && chunk.name === entry).flatMap((chunk) => chunk.moduleIds)

/** The sign-in page must open quickly on a slow connection: one careless import would load half the application. */
const refuseHeavySignIn = (bundle: Rolldown.OutputBundle) => {
  const heavy = startingModules(bundle, 'login').find((id) =>
    /node_modules[\\/](?!(react|react-dom|scheduler)[\\/])/.test(id),
  )
  if (heavy) throw new Error(`the sign-in page must not import ${heavy}`)
}

const sources = join(import.meta.dirname, 'src/login')
type Brand = { Brand: FunctionComponent<{ t: unknown; lang: string }> }
type Texts = { texts: Record<'zh-cn' | 'en', unknown> }

/** The part of the sign-in page that all its addresses share, in both languages; login.css shows one. */
const stillPage = async (): Promise<string> => {
  const at = (file: string) => join(sources, file)
  const [{ module: brand }, { module: words }] = await Promise.all([
    runnerImport<Brand>(at('Brand.tsx'), { configFile: false }),
    runnerImport<Texts>(at('text/texts.ts'), { configFile: false }),
  ])
  const still = ([lang, language]: readonly ['zh-CN' | 'en', 'zh-cn' | 'en']) =>
    createElement(brand.Brand, { key: lang, lang, t: words.texts[language] })
  const both = [['zh-CN', 'zh-cn'] as const, ['en', 'en'] as const]
  return renderToStaticMarkup(both.map(still))
}

const ROOT = '<div id="root"></div>'

/** Writes what is visible before any script has loaded into the sign-in page. */
export const prerenderLoginShell = (): Plugin => ({
  name: 'tocsin:still-page',
  transformIndexHtml: {
    order: 'pre',
    handler: async (html, { filename }) =>
      filename.endsWith('login.html')
        ? html.replace(ROOT, `<div class="stage">${await stillPage()}${ROOT}</div>`)
        : html,
  },
})

const ENTRY = /\s*<script type="module" crossorigin src="[^"]+"><\/script>/
const AHEAD = /<link rel="modulepreload" crossorigin href="([^"]+)">/g
/** The script that sends the first requests, before anything else. */
const FIRST = /\s*<script type="module" crossorigin src="\/assets\/boot-[^"]+"><\/script>/

/** An open page compares this with the server's current build (src/shell/new-build.ts). */
const named = (entry: string) => `<meta name="entry" content="${/src="([^"]+)"/.exec(entry)?.[1] ?? ''}">`

/** The chunks that render the console, the final one last. */
const DRAWING = /<script type="module" crossorigin src="(\/assets\/(?:frame|index)-[^"]+)"><\/script>/g

/** Loaded and compiled beside the first script, which runs them after the greeting, and reports when they fail. */
const afterFirst = (html: string): string => {
  const parts = [...html.matchAll(DRAWING)].map(([, part]) => part)
  return html
    .replaceAll(DRAWING, '<link rel="modulepreload" crossorigin href="$1">')
    .replace('<script async', `$& data-then="${parts.join(' ')}"`)
}

/**
 * Runs the chunks of the application one after the other, each as soon as it is loaded, instead of all at once at the
 * end: the page responds in between.
 */
export const splitBootScripts = (): Plugin => ({
  name: 'tocsin:in-steps',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const [entry = ''] = ENTRY.exec(html) ?? []
      const parts = html.replace(entry, '').replaceAll(AHEAD, '<script type="module" crossorigin src="$1"></script>')
      const [first = ''] = FIRST.exec(parts) ?? []
      // It does not wait for a style sheet either.
      const ahead = first.trim().replace('<script', '<script async')
      const ordered = parts.replace(first, '').replace('<script type="module"', `${ahead}$&`)
      const whole = ordered.replace('</head>', `${entry.trim()}${named(entry)}</head>`)
      return first === '' ? whole : afterFirst(whole)
    },
  },
})

/** The usual first page: the application, with the chunks of the dashboard requested at once. */
const dashboardPage = (html: string, bundle: Rolldown.OutputBundle): string => {
  const parts = withImports(bundle, (chunk) => chunk.name === 'DashboardPage')
  const files = parts.flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
  const links = files
    .filter((file) => !html.includes(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
  if (links.length === 0) throw new Error('the build has no part named DashboardPage')
  return html.replace('</head>', `${links.join('')}</head>`)
}

/** Writes the theme script into both pages and its hash to `csp.json` as `{ script: ['sha256-…'] }`. */
export const htmlPages = (): Plugin => ({
  name: 'tocsin:pages',
  configureServer: (server) => void server.middlewares.use(serveSignIn),
  configurePreviewServer: (server) => void server.middlewares.use(serveSignIn),
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', children: themeScript, injectTo: 'head-prepend' }],
  },
  generateBundle: (_options, bundle) => refuseHeavySignIn(bundle),
  writeBundle: {
    sequential: true,
    handler: async ({ dir = '' }, bundle) => {
      const application = await readFile(join(dir, 'index.html'), 'utf8')
      await writeFile(join(dir, 'dashboard.html'), dashboardPage(application, bundle))
      for (const page of ['index.html', 'login.html']) {
        refuseOtherScripts(page, await readFile(join(dir, page), 'utf8'))
      }
      await writeFile(join(dir, 'csp.json'), `${JSON.stringify({ script: [cspHash(themeScript)] })}\n`)
    },
  },
})
