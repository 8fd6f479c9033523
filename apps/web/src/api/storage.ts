/** Reading and writing site data throws where the browser forbids it; the page must still open and say so. */
export const getLocalItem = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Set while a session that somebody ended is being left; the next sign-in removes it. */
export const SESSION_ENDED = 'SESSION_ENDED'

/** Names of preferences chosen here and not yet told to the server; the sign-in page adds to the same list. */
export const UNSYNCED = 'preferencesUnsent'

/** Null removes the key. */
export const setLocalItem = (key: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Nothing is kept then: the session lasts as long as the page.
  }
}

/** The dictionaries of this tab; they go with the session. */
export const DICT_CACHE = 'dictCache'

/** What was kept for as long as this tab lives. */
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
    // Then it lasts as long as the page.
  }
}

export const clearStorage = (): void => {
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch {
    // There was nothing to forget.
  }
}
