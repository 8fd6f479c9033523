import { createHmac } from 'node:crypto'

/** Both derived from the master key: `secrets` for passwords and device secrets, `http` for encryption. */
export type DemoKeys = { secrets: Uint8Array; http: Uint8Array }

/** Secrets derive from the key, so that a start after a crash prints and stores the same ones again. */
export const deriveDemoSecret = (key: Uint8Array, label: string) => createHmac('sha256', key).update(label).digest()
