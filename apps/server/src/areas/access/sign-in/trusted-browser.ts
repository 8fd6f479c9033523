import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The cookie that recognizes a browser from which a user signed in before. It grants nothing, it only selects an own
 * counter.
 */
export const BROWSER_COOKIE = 'browser'
export const BROWSER_DAYS = 180
/** Accounts that one browser stores, for desks that several people share. */
const ACCOUNTS = 4

const mac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url')
const tagOf = (key: Uint8Array, username: string) => mac(key, `account ${username}`).slice(0, 16)

type Browser = { id: string; tags: string[] }

/** `id~tag~…~signature`; undefined when the signature is invalid. */
const read = (key: Uint8Array, cookie: string | undefined): Browser | undefined => {
  const parts = cookie?.split('~') ?? []
  const signature = Buffer.from(parts.pop() ?? '')
  const [id, ...tags] = parts
  const wanted = Buffer.from(mac(key, parts.join('~')))
  if (!id || signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return undefined
  return { id, tags }
}

/** Id of the browser if this account signed in from it before. */
export const verifyTrustedBrowser = (
  key: Uint8Array,
  cookie: string | undefined,
  username: string,
): string | undefined => {
  const browser = read(key, cookie)
  return browser?.tags.includes(tagOf(key, username)) ? browser.id : undefined
}

/** New value of the cookie, with this account first. */
export const issueTrustedBrowser = (key: Uint8Array, cookie: string | undefined, username: string): string => {
  const { id, tags } = read(key, cookie) ?? { id: randomBytes(16).toString('base64url'), tags: [] }
  const tag = tagOf(key, username)
  const content = [id, ...[tag, ...tags.filter((other) => other !== tag)].slice(0, ACCOUNTS)].join('~')
  return `${content}~${mac(key, content)}`
}
