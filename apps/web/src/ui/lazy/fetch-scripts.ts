/** The script that a dynamic import names; the bundler lists it only together with others. */
const IMPORTED = /import\([`"']\.\/([^`"']+)[`"']\)/g

const isOnPage = (address: string): boolean =>
  document.querySelector(`[href="${address}"], [src="${address}"]`) !== null

const fetchScript = async (address: string): Promise<void> => {
  const response = await fetch(address).catch(() => undefined)
  if (!response?.ok) throw new Error(`Unable to preload ${address}`)
  // Completely, so that the module then comes from the cache.
  await response.arrayBuffer()
}

const fetches = new Map<string, Promise<void>>()

const fetchOnce = (address: string): Promise<void> => {
  const known = fetches.get(address)
  if (known) return known
  const fetching = fetchScript(address)
  fetches.set(address, fetching)
  fetching.catch(() => fetches.delete(address))
  return fetching
}

/**
 * Fetches the scripts of a dynamic import before the browser imports them. A browser remembers a module that failed to
 * load and requests it no more until the page is reloaded, while a failed fetch can be repeated.
 * @param files what the bundler preloads for the import
 */
export const fetchScripts = async (load: () => unknown, files: readonly string[]): Promise<void> => {
  const own = Array.from(String(load).matchAll(IMPORTED), ([, name]) => `/assets/${name}`)
  const scripts = new Set([...own, ...files.filter((file) => file.endsWith('.js'))])
  await Promise.all([...scripts].filter((address) => !isOnPage(address)).map(fetchOnce))
}
