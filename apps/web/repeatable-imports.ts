import { join } from 'node:path'
import type { Plugin } from 'vite'

const HELPER = 'export const __vitePreload ='
const FETCH = join(import.meta.dirname, 'src/ui/lazy/fetch-scripts.ts')

/** Every dynamic import fetches its scripts first, so that it can be repeated after it failed. */
export const repeatableImports = (): Plugin => ({
  name: 'tocsin:repeatable-imports',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler(code) {
      if (!code.includes(HELPER)) throw new Error('the bundler wraps dynamic imports in another way')
      return `import { fetchScripts } from ${JSON.stringify(FETCH)}
${code.replace(HELPER, 'const preload =')}
export const __vitePreload = (load, files = [], importer) =>
  fetchScripts(load, files.map((file) => assetsURL(file, importer))).then(() => preload(load, files, importer))`
    },
  },
})
