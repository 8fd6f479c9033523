// URL.canParse is newer than the oldest supported browser.
const parse = (path: string, origin: string) => {
  try {
    return new URL(path, origin)
  } catch {
    return undefined
  }
}

/**
 * The target after signing in: the path, query and hash of `wanted` when it stays on `origin`, else `start`. Everything
 * that a stranger can put into a link to the sign-in page passes through here.
 */
export const safeRedirect = (wanted: string | null, origin: string, start = '/') => {
  const url = wanted?.startsWith('/') ? parse(wanted, origin) : undefined
  // '/.//evil.example' keeps the origin here, but its normalized path would leave it when navigated to.
  if (url?.origin !== origin || url.pathname.startsWith('//')) return start
  // Calls are no pages, and the sign-in page would redirect a signed-in user in a loop.
  if (/^\/(admin-api|device-api|login|register|reset-password|activate)(\/|$)/i.test(url.pathname)) return start
  return url.pathname + url.search + url.hash
}
