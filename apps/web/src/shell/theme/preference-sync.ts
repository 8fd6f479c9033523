import { Preferences as Roaming } from '@tocsin/contract/access/preference'
import { setLocalItem, getLocalItem } from '#api/storage.ts'
import {
  saveUnsynced,
  type Preferences,
  applyPreferences,
  defaultPreference,
  unsyncedNames,
  usePreferences,
} from './preferences.ts'

/** What goes with the person to every computer. */
const names = Roaming.keyof().options

const pick = (all: Preferences, wanted: (name: (typeof names)[number]) => boolean): Roaming =>
  Object.fromEntries(names.filter(wanted).map((name) => [name, all[name]]))

/** What was chosen here and has to be told. */
export const unsynced = (): Roaming => {
  const waiting = unsyncedNames()
  return pick(usePreferences.getState(), (name) => waiting.includes(name))
}

/** The server has these; what was chosen anew meanwhile still waits. */
export const markSynced = (told: Roaming): void => {
  const now = usePreferences.getState()
  saveUnsynced(names.filter((name) => unsyncedNames().includes(name) && told[name] !== now[name]))
}

const OWNER = 'preferencesOf'

/** What the sign-in page lets anybody choose before he is known. */
const CHOSEN_BEFORE = ['language', 'theme']

/**
 * Somebody signed in: the server's choices over what this browser keeps of him, or over the defaults when it keeps
 * somebody else's; what he chose here and could not tell yet wins. The language before the sign-in stays.
 */
export const adoptPreferences = (userId: number, chosen: Roaming): void => {
  const owner = getLocalItem(OWNER)
  // Those of somebody whose session ended wait for nobody else.
  if (owner !== null && owner !== String(userId))
    saveUnsynced(unsyncedNames().filter((name) => CHOSEN_BEFORE.includes(name)))
  const waiting = unsynced()
  const starts: Roaming = Object.fromEntries(names.map((name) => [name, defaultPreference(name)]))
  const base = owner === String(userId) ? {} : { ...starts, language: usePreferences.getState().language }
  setLocalItem(OWNER, String(userId))
  // Absent is not in the object at all: the contract's optional fields never hold undefined here.
  applyPreferences({ ...base, ...chosen, ...waiting } as Partial<Preferences>)
}
