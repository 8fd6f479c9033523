/** Access to local storage throws where the browser forbids site data; the page must still open and say so. */
export const getLocalItem = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** False when the browser refused to store the value; null removes it. */
export const setLocalItem = (key: string, value: string | null) => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** Stores a preference under its name, and that the console must send it to the server after the sign-in. */
export const savePreference = (name: 'language' | 'theme', value: string): void => {
  setLocalItem(name, value)
  const waiting = (getLocalItem('preferencesUnsent') ?? '').split(',').filter(Boolean)
  setLocalItem('preferencesUnsent', [...new Set([...waiting, name])].join())
}
