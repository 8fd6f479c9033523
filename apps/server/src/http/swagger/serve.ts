import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')

/** Of the package's files only these: its page and its start script are not ours. */
const served: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
}

type Content = { plain: Buffer; small: Buffer }
const known = new Map<string, Promise<Content>>()

const contentOf = (name: string): Promise<Content> => {
  const kept = known.get(name)
  if (kept) return kept
  const read = readFile(join(folder, name)).then(async (plain) => ({
    plain,
    small: await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  }))
  known.set(name, read)
  // What failed once may be there the next time.
  read.catch(() => known.delete(name))
  return read
}

/** The viewer of the calls' document, as the package has it: nothing of it comes from another machine. */
export const serveSwagger = (app: FastifyInstance): void => {
  for (const [name, type] of Object.entries(served))
    app.get(`/assets/swagger-ui/${name}`, async (request, reply) => {
      const { plain, small } = await contentOf(name)
      const brotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
      return reply
        .header('content-type', type)
        .header('x-content-type-options', 'nosniff')
        .header('vary', 'accept-encoding')
        .header('cache-control', 'public, max-age=86400')
        .headers(brotli ? { 'content-encoding': 'br' } : {})
        .send(brotli ? small : plain)
    })
}
