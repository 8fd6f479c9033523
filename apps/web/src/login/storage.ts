/** Reading and writing local storage throws where the browser forbids site data; the page must still open and say so. */
export const getLocalItem = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** False when the browser refused to keep the value; null removes it. */
export const setLocalItem = (key: string, value: string | null) => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** Keeps a preference under its name, and that the console has to tell the server of it once somebody is signed in. */
export const savePreference = (name: 'language' | 'theme', value: string): void => {
  setLocalItem(name, value)
  const waiting = (getLocalItem('preferencesUnsent') ?? '').split(',').filter(Boolean)
  setLocalItem('preferencesUnsent', [...new Set([...waiting, name])].join())
}
