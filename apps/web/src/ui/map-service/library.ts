import type { MapLibrary } from './national/interface.ts'

export const libraryStates = ['NO_KEY', 'LOADING', 'READY', 'REFUSED', 'UNREACHABLE'] as const
export type LibraryState = (typeof libraryStates)[number]

export type LoadedLibrary = { state: 'READY'; library: MapLibrary } | { state: Exclude<LibraryState, 'READY'> }

export const LOAD_TIMEOUT_MS = 15_000

/** How a browser loads the script; tests bring their own. */
export type ScriptHost = {
  insert: (url: string) => Promise<void>
  /** Whether the server of the script answers at all; a browser does not say why a script failed. */
  isReachable: (url: string) => Promise<boolean>
  readLibrary: () => unknown
}

const insertScript = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('the script failed'))
    })
    document.head.append(script)
  })

export const browserHost: ScriptHost = {
  insert: insertScript,
  isReachable: (url) =>
    fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
      () => true,
      () => false,
    ),
  readLibrary: () => (globalThis as { T?: unknown }).T,
}

const timeout = (milliseconds: number) =>
  new Promise<'TIMEOUT'>((resolve) => setTimeout(() => resolve('TIMEOUT'), milliseconds))

const isLibrary = (value: unknown): value is MapLibrary =>
  typeof value === 'object' && value !== null && 'Map' in value && 'LngLat' in value

const load = async (url: string, host: ScriptHost, milliseconds: number): Promise<LoadedLibrary> => {
  try {
    const ended = await Promise.race([host.insert(url), timeout(milliseconds)])
    if (ended === 'TIMEOUT') return { state: 'UNREACHABLE' }
  } catch {
    return { state: (await host.isReachable(url)) ? 'REFUSED' : 'UNREACHABLE' }
  }
  const library = host.readLibrary()
  // A refused key may also be answered with a script that defines nothing.
  return isLibrary(library) ? { state: 'READY', library } : { state: 'REFUSED' }
}

/** Loads the library once; a failure is forgotten, so that it can be tried again. */
export const createLibraryLoader = (host: ScriptHost, milliseconds = LOAD_TIMEOUT_MS) => {
  let known: { url: string; loading: Promise<LoadedLibrary> } | undefined
  return async (url: string | null): Promise<LoadedLibrary> => {
    if (url === null) return { state: 'NO_KEY' }
    if (known?.url !== url) known = { url, loading: load(url, host, milliseconds) }
    const loaded = await known.loading
    if (loaded.state !== 'READY') known = undefined
    return loaded
  }
}

export const loadMapLibrary = createLibraryLoader(browserHost)
