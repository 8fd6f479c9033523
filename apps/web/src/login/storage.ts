/** Reading and writing local storage throws where the browser forbids site data; the page must still open and say so. */
export const stored = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** False when the browser refused to keep the value; null removes it. */
export const store = (key: string, value: string | null) => {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** Keeps a preference under its name, and that the console has to tell the server of it once somebody is signed in. */
export const choose = (name: 'language' | 'theme', value: string): void => {
  store(name, value)
  const waiting = (stored('preferencesUnsent') ?? '').split(',').filter(Boolean)
  store('preferencesUnsent', [...new Set([...waiting, name])].join())
}
