/** Where the browser is, as `location` gives it. */
export type GuardedPlace = { pathname: string; search: string; hash: string }

/**
 * SPEC 2's guard before anything is painted. The sign-in pages are another document, so every address of this one
 * needs a token.
 * @returns where to go instead, undefined to stay.
 */
export const guard = ({ pathname, search, hash }: GuardedPlace, token: string | null): string | undefined => {
  const signIn = pathname === '/login' || pathname === '/register'
  if (token) return signIn ? '/' : undefined
  if (signIn) return undefined
  const here = pathname + search + hash
  return here === '/' ? '/login' : `/login?redirect=${encodeURIComponent(here)}`
}
