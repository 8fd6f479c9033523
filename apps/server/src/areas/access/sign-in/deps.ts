import type { Db } from '#db/db'
import type { RegionOf } from '#areas/audit/log/region'

const purposes = [
  'captcha',
  'refresh',
  'browser',
  'code',
  'ticket',
  'factor',
  'social',
  'outbound',
  'setting',
  'visit',
  'device-http-key',
] as const

/** All derived from the master key, one per purpose. */
export type AuthKeys = Readonly<Record<(typeof purposes)[number], Uint8Array>>

export const authKeys = (derive: (purpose: string) => Uint8Array): AuthKeys =>
  // One key per purpose of the list, as the type says.
  Object.fromEntries(purposes.map((purpose) => [purpose, derive(purpose)])) as AuthKeys

export type AuthDeps = {
  db: Db
  keys: AuthKeys
  /** Tests only: the answer of every picture. */
  testCaptcha?: string | undefined
  /** Delays an attempt on an account under attack; injected, because it takes time. */
  wait: (seconds: number) => Promise<void>
  /** The address of the console, like `https://alarm.example`; undefined: as the request says. */
  site?: string | undefined
  /** Version of the release, shown on the sign-in page. */
  version: string
  /** Logs a provider that does not answer. */
  warn: (text: string) => void
  /** The region of an address; undefined without the operator's file. */
  regionOf?: RegionOf | undefined
  /** Where base maps come from: the key of the national service, its address, a folder of tiles; and a road file. */
  map?: Partial<Record<'key' | 'url' | 'folder' | 'roads', string | undefined>> | undefined
}
