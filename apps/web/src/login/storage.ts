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
