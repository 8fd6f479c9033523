import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from 'vite'
import { precompress } from '../../apps/web/precompress.ts'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** A bare React page, built and served like the console: precompressed, its script immutable, its html revalidated. */
export const servePlainReact = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bare-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'bare'),
    logLevel: 'error',
    plugins: [precompress()],
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : (request.url ?? '').split('?')[0]
    const file = join(folder, name ?? '')
    if (!existsSync(file)) return void response.writeHead(404).end()
    const packed = existsSync(`${file}.br`)
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': name === '/index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
      ...(packed && { 'content-encoding': 'br' }),
    })
    response.end(readFileSync(packed ? `${file}.br` : file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
