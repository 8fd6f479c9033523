declare const __APP_VERSION__: string

/** From package.json, put in at build time by vite.config.ts. */
export const version = __APP_VERSION__
