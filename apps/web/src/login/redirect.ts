// URL.canParse is younger than the oldest browser the build is made for.
const parse = (path: string, origin: string) => {
  try {
    return new URL(path, origin)
  } catch {
    return undefined
  }
}

/**
 * Where to go after signing in: the path, query and hash of `wanted` when it stays on `origin`, else '/'.
 * Whatever a stranger can put into a link to the sign-in page passes through here.
 */
export const safeRedirect = (wanted: string | null, origin: string) => {
  const url = wanted?.startsWith('/') ? parse(wanted, origin) : undefined
  // '/.//evil.example' keeps the origin here, but its normalised path would leave it when navigated to.
  if (url?.origin !== origin || url.pathname.startsWith('//')) return '/'
  // Calls are no pages, and the sign-in page would send a signed-in person in a circle.
  if (/^\/(admin-api|device-api|login|register|reset-password|activate)(\/|$)/i.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
