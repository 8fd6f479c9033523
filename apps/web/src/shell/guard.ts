/** The address of the page, as `location` gives it. */
export type GuardedPlace = { pathname: string; search: string; hash: string }

/**
 * The guard of SPEC 2 before the first paint. The sign-in pages are another document, so every address of this one
 * needs a token.
 * @returns the address to redirect to, undefined to stay.
 */
export const guard = ({ pathname, search, hash }: GuardedPlace, token: string | null): string | undefined => {
  const signIn = pathname === '/login' || pathname === '/register'
  if (token) return signIn ? '/' : undefined
  if (signIn) return undefined
  const here = pathname + search + hash
  return here === '/' ? '/login' : `/login?redirect=${encodeURIComponent(here)}`
}
