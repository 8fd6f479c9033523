import { Preferences as Roaming } from '@tocsin/contract/system/preference'
import { store, stored } from '#api/storage.ts'
import { keepUnsent, type Preferences, show, startOf, unsentNames, usePreferences } from './preferences.ts'

/** What goes with the person to every computer. */
const names = Roaming.keyof().options

const pick = (all: Preferences, wanted: (name: (typeof names)[number]) => boolean): Roaming =>
  Object.fromEntries(names.filter(wanted).map((name) => [name, all[name]]))

/** What was chosen here and has to be told. */
export const unsent = (): Roaming => {
  const waiting = unsentNames()
  return pick(usePreferences.getState(), (name) => waiting.includes(name))
}

/** The server has these; what was chosen anew meanwhile still waits. */
export const sent = (told: Roaming): void => {
  const now = usePreferences.getState()
  keepUnsent(names.filter((name) => unsentNames().includes(name) && told[name] !== now[name]))
}

const OWNER = 'preferencesOf'

/** What the sign-in page lets anybody choose before he is known. */
const CHOSEN_BEFORE = ['language', 'theme']

/**
 * Somebody signed in: the server's choices over what this browser keeps of him, or over the defaults when it keeps
 * somebody else's; what he chose here and could not tell yet wins. The language before the sign-in stays.
 */
export const preferencesOf = (userId: number, chosen: Roaming): void => {
  const owner = stored(OWNER)
  // Those of somebody whose session ended wait for nobody else.
  if (owner !== null && owner !== String(userId))
    keepUnsent(unsentNames().filter((name) => CHOSEN_BEFORE.includes(name)))
  const waiting = unsent()
  const starts: Roaming = Object.fromEntries(names.map((name) => [name, startOf(name)]))
  const base = owner === String(userId) ? {} : { ...starts, language: usePreferences.getState().language }
  store(OWNER, String(userId))
  // Absent is not in the object at all: the contract's optional fields never hold undefined here.
  show({ ...base, ...chosen, ...waiting } as Partial<Preferences>)
}
