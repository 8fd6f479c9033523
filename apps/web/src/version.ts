declare const __APP_VERSION__: string

/** Version of package.json; vite.config.ts inserts it at build time. */
export const version = __APP_VERSION__
