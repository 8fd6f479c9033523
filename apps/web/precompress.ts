import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes `<file>.br` and `<file>.gz`, each only where it is smaller than the file itself. */
const compress = async (file: string) => {
  const plain = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  const packed = { br: await brotli(plain, { params }), gz: await zip(plain, { level: constants.Z_BEST_COMPRESSION }) }
  for (const [ending, bytes] of Object.entries(packed)) {
    if (bytes.length < plain.length) await writeFile(`${file}.${ending}`, bytes)
  }
}

/** Compresses once at build time, at the highest level, so that no server does it per request. */
export const precompress = (): Plugin => ({
  name: 'tocsin:precompress',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler: async ({ dir = '' }) => {
      const files = await Array.fromAsync(glob('**/*.{html,js,css,svg,json,txt,webmanifest}', { cwd: dir }))
      // The server reads csp.json and does not send it.
      const sent = files.filter((file) => file !== 'csp.json')
      await Promise.all(sent.map((file) => compress(join(dir, file))))
    },
  },
})
