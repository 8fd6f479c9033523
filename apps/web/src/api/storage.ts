/** Reading and writing site data throws where the browser forbids it; the page must still open and say so. */
export const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Set while a session that somebody ended is being left; the next sign-in removes it. */
export const ENDED = 'SESSION_ENDED'

/** Null removes the key. */
export const store = (key: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Nothing is kept then: the session lasts as long as the page.
  }
}

export const forgetEverything = (): void => {
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch {
    // There was nothing to forget.
  }
}
