import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { antdStyles } from './antd-styles.ts'
import manifest from './package.json' with { type: 'json' }
import { splitBootScripts, htmlPages, prerenderLoginShell } from './html-pages.ts'
import { precompress } from './precompress.ts'
import { repeatableImports } from './repeatable-imports.ts'
import { splitTexts } from './split-texts.ts'

/** Small, and on the first page of every user: with the other shared chunks they would load all of these. */
const small = /antd[\\/]es[\\/](skeleton|empty|segmented)|@rc-component[\\/]segmented/
const kit = /node_modules[\\/](antd|@ant-design|@rc-component|dayjs)[\\/]/

const base = /node_modules[\\/](zod|zustand|i18next|react-i18next|@tanstack|react-router|nprogress)[\\/]/
const frame = /apps[\\/]web[\\/]src[\\/](api|shell|ui|texts)[\\/]|packages[\\/]contract[\\/]src[\\/]/
/** The part of these that the sign-in page needs. */
const shared = /packages[\\/]contract[\\/]src[\\/](([a-z]+-)?codes?|password-strength)\.ts|preload-helper|fetch-scripts/
/** The chunk that requests the first responses, and greets, must wait for no other. */
const asking = /apps[\\/]web[\\/]src[\\/](boot|zod-config|api[\\/](storage|wire[\\/](prefetch|request)))\.ts/
const greeting = /[\\/](early-greeting|greeting|part-of-day)\.ts|packages[\\/]contract[\\/]src[\\/]time-zone\.ts/
/** Needed by the bell and by screens: a group includes the imports of its files, and no list may wait for the bell. */
const facts = /packages[\\/]contract[\\/]src[\\/]((alarm|school)[\\/])?[a-z-]+\.ts/
const sound = /apps[\\/]web[\\/]src[\\/]areas[\\/]alarm[\\/]desk[\\/]sound/

/**
 * The layout needs one context of antd's forms; importing it through the index would load all forms with the first
 * page.
 */
const formContext: Plugin = {
  name: 'tocsin:form-context',
  apply: 'build',
  enforce: 'pre',
  resolveId(id, from) {
    const wanted = id === '@rc-component/form' && from !== undefined && /antd[\\/]es[\\/]form[\\/]context/.test(from)
    return wanted ? this.resolve('@rc-component/form/es/FormContext', from) : null
  },
}

const HINT = '//# allFunctionsCalledOnLoad'
const hinted = new Set([
  'index',
  'react',
  'base',
  'kit',
  'frame',
  'shared',
  'small',
  'DashboardPage',
  'ListPage',
  'screens',
])

/**
 * Chromium compiles these completely while they load, in the background; otherwise each function at its first call, on
 * the main thread.
 */
const compiledAhead: Plugin = {
  name: 'tocsin:compiled-ahead',
  apply: 'build',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && hinted.has(file.name)) file.code = `${HINT}\n${file.code}`
    }
  },
}

export default defineConfig({
  base: '/',
  plugins: [
    formContext,
    splitTexts(),
    antdStyles(),
    react(),
    prerenderLoginShell(),
    compiledAhead,
    repeatableImports(),
    splitBootScripts(),
    htmlPages(),
    precompress(),
  ],
  define: { __APP_VERSION__: JSON.stringify(manifest.version) },
  build: {
    // Without the polyfill, which only browsers older than the build target need.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', login: 'login.html' },
      output: {
        codeSplitting: {
          groups: [
            // Shared by both pages, so a user who signed in has it cached.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            // Modules of the layout around every page; a chunk that only screens use must not be loaded before them.
            { name: 'kit', test: kit, tags: ['$initial'], priority: 2 },
            { name: 'shared', test: shared, priority: 3 },
            { name: 'boot', test: (id) => asking.test(id) || greeting.test(id), priority: 4 },
            // Few files: each request costs as much as a small file. Libraries are separate, because they do not change
            // with our code.
            { name: 'base', test: base, tags: ['$initial'], priority: 2 },
            { name: 'frame', test: frame, tags: ['$initial'], priority: 2 },
            { name: 'facts', test: facts, priority: 1.5 },
            { name: 'sound', test: sound, priority: 1 },
            { name: 'small', test: small, priority: 1 },
            { name: 'icons', test: /[\\/]@ant-design[\\/]icons/, priority: 1 },
            // Modules that three or more screens use; the others stay with the lazy screen that needs them.
            { name: 'screens', test: kit, priority: 0, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/admin-api': { target: 'http://127.0.0.1:8080', ws: true } },
  },
})
