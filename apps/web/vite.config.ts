import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { pages } from './pages.ts'
import { precompress } from './precompress.ts'

export default defineConfig({
  base: '/',
  plugins: [react(), pages(), precompress()],
  define: { __APP_VERSION__: JSON.stringify(manifest.version) },
  build: {
    // The polyfill is for browsers older than the build target.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', login: 'login.html' },
      output: {
        codeSplitting: {
          groups: [
            // Shared by both pages, so whoever signed in has it already.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            // Parts of the kit that three or more screens use; the rest stays with the lazy screen that needs it.
            {
              name: 'kit',
              test: /node_modules[\\/](antd|@ant-design|@rc-component)[\\/]/,
              priority: 1,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/admin-api': { target: 'http://127.0.0.1:8080', ws: true } },
  },
})
