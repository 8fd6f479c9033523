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

/** Preferences that follow the user to every computer. */
const names = Roaming.keyof().options

const pick = (all: Preferences, wanted: (name: (typeof names)[number]) => boolean): Roaming =>
  Object.fromEntries(names.filter(wanted).map((name) => [name, all[name]]))

/** What was chosen here and must be sent. */
export const unsynced = (): Roaming => {
  const waiting = unsyncedNames()
  return pick(usePreferences.getState(), (name) => waiting.includes(name))
}

/** The server has these; newer choices still wait. */
export const markSynced = (roaming: Roaming): void => {
  const now = usePreferences.getState()
  saveUnsynced(names.filter((name) => unsyncedNames().includes(name) && roaming[name] !== now[name]))
}

const OWNER = 'preferencesOf'

/** What the sign-in page lets anybody choose before the user is known. */
const CHOSEN_BEFORE = ['language', 'theme']

/**
 * A user signed in: the server's choices replace those stored in this browser, or the defaults when it stored another
 * user's; choices not yet sent win. The language from before the sign-in stays.
 */
export const adoptPreferences = (userId: number, chosen: Roaming): void => {
  const owner = getLocalItem(OWNER)
  // Those of a user whose session ended wait for nobody else.
  if (owner !== null && owner !== String(userId))
    saveUnsynced(unsyncedNames().filter((name) => CHOSEN_BEFORE.includes(name)))
  const waiting = unsynced()
  const starts: Roaming = Object.fromEntries(names.map((name) => [name, defaultPreference(name)]))
  const base = owner === String(userId) ? {} : { ...starts, language: usePreferences.getState().language }
  setLocalItem(OWNER, String(userId))
  // Absent means not in the object at all: the contract's optional fields never hold undefined here.
  applyPreferences({ ...base, ...chosen, ...waiting } as Partial<Preferences>)
}
