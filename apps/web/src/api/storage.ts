/** Access to site data throws where the browser forbids it; the page must still open and say so. */
export const getLocalItem = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Set while leaving a session that somebody ended; the next sign-in removes it. */
export const SESSION_ENDED = 'SESSION_ENDED'

/** Names of preferences chosen here and not yet sent to the server; the sign-in page adds to the same list. */
export const UNSYNCED = 'preferencesUnsent'

/** Null removes the key. */
export const setLocalItem = (key: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Nothing is stored then: the session lasts as long as the page.
  }
}

/** The dictionaries of this tab; cleared with the session. */
export const DICT_CACHE = 'dictCache'

/** Stored for the life of this tab. */
export const getTabItem = (key: string): string | null => {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null removes the key. */
export const setTabItem = (key: string, value: string | null): void => {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {
    // Storage is blocked, so the value lasts as long as the page.
  }
}

/** Work of a person that the server does not have yet; it ends when it was sent and not with the session. */
export const UNSENT_PREFIX = 'unsent.'

export const clearStorage = (): void => {
  try {
    const unsent = Object.entries({ ...localStorage }).filter(([key]) => key.startsWith(UNSENT_PREFIX))
    localStorage.clear()
    sessionStorage.clear()
    for (const [key, value] of unsent) localStorage.setItem(key, String(value))
  } catch {
    // There was nothing to clear.
  }
}
