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

/** All derived from the master key, each for one purpose. */
export type AuthKeys = Readonly<Record<(typeof purposes)[number], Uint8Array>>

export const authKeys = (derive: (purpose: string) => Uint8Array): AuthKeys =>
  // One key for each purpose of the list, which is what the type says.
  Object.fromEntries(purposes.map((purpose) => [purpose, derive(purpose)])) as AuthKeys

export type AuthDeps = {
  db: Db
  keys: AuthKeys
  /** Tests only: the answer of every picture. */
  testCaptcha?: string | undefined
  /** Holds a try on an account under attack; an argument, since time is. */
  wait: (seconds: number) => Promise<void>
  /** What browsers call us, like `https://alarm.example`; undefined: as the call itself says. */
  site?: string | undefined
  /** Of the release, for the sign-in page. */
  version: string
  /** What an operator should know of a provider that does not answer. */
  warn: (text: string) => void
  /** Where an address lies; undefined: what needs no file of the operator's. */
  regionOf?: RegionOf | undefined
}
