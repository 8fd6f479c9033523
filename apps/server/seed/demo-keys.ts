import { createHmac } from 'node:crypto'

/** Both derived from the master key: `secrets` for passwords and device secrets, `http` for sealing. */
export type DemoKeys = { secrets: Uint8Array; http: Uint8Array }

/** Secrets follow from the key, so that a start after a crash prints and keeps the same ones again. */
export const deriveDemoSecret = (key: Uint8Array, what: string) => createHmac('sha256', key).update(what).digest()
