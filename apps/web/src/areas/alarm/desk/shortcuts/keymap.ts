import type { PersonVerb } from '../actions/available-actions.ts'
import { applyFilter, type Filter, type Filtered } from '../queue/filter.ts'

export type Action =
  | { kind: 'verb'; verb: PersonVerb }
  | { kind: 'next' | 'previous' | 'nextNew' | 'mine' | 'filter' | 'help' | 'back' }

export type Pressed = {
  key: string
  /** The letter by its position, for input methods that hide `key`. */
  code: string
  /** True with Ctrl, Alt or Meta, and during text input by an input method. */
  combined: boolean
  /** The focus is in a field, a list or a dialog, where letters and arrows have their own meaning. */
  typing: boolean
}

const verb = (name: PersonVerb): Action => ({ kind: 'verb', verb: name })

export const keymap: Readonly<Record<string, Action>> = {
  j: { kind: 'next' },
  ArrowDown: { kind: 'next' },
  k: { kind: 'previous' },
  ArrowUp: { kind: 'previous' },
  n: { kind: 'nextNew' },
  g: { kind: 'mine' },
  c: verb('claim'),
  v: verb('verify'),
  d: verb('dispatch'),
  e: verb('escalate'),
  r: verb('resolve'),
  f: verb('false'),
  m: verb('note'),
  '/': { kind: 'filter' },
  '?': { kind: 'help' },
  Escape: { kind: 'back' },
}

const keyOf = ({ key, code }: Pressed): string => {
  if (key.length === 1) return key.toLowerCase()
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return key === 'Process' && letter ? letter.toLowerCase() : key
}

/** The action of a key on the desk; undefined when the desk does not use it. Esc leaves a field too. */
export const actionForKey = (pressed: Pressed): Action | undefined => {
  if (pressed.combined) return undefined
  const action = Object.hasOwn(keymap, keyOf(pressed)) ? keymap[keyOf(pressed)] : undefined
  return pressed.typing && action?.kind !== 'back' ? undefined : action
}

/**
 * The key of a verb, shown beside its button. Taking over an unowned record uses the key of the claim; sending more
 * people uses that of sending.
 */
export const keyForVerb = (name: PersonVerb): string | undefined => {
  const query = name === 'take' ? 'claim' : name === 'sendMore' ? 'dispatch' : name
  return Object.entries(keymap).find(([, action]) => action.kind === 'verb' && action.verb === query)?.[0]
}

type Listed = { id: number; ownerId: number | null }

/** The neighbour of the selected record; stops at the ends, and starts at the top without a selection. */
export const neighbourRecord = (
  list: readonly Listed[],
  selected: number | undefined,
  by: 1 | -1,
): number | undefined => {
  const at = list.findIndex(({ id }) => id === selected)
  return at < 0 ? list[0]?.id : (list[at + by]?.id ?? selected)
}

/** The next unowned record after the selected one, wrapping around the end. */
export const nextNew = (list: readonly Listed[], selected: number | undefined): number | undefined => {
  const at = list.findIndex(({ id }) => id === selected)
  return [...list.slice(at + 1), ...list.slice(0, at + 1)].find(({ ownerId }) => ownerId === null)?.id
}

/** The same among the records that the filter of the open queue shows, whichever view the key is pressed in. */
export const nextShownNew = (
  open: readonly (Listed & Filtered)[],
  filter: Filter,
  selected: number | undefined,
): number | undefined => nextNew(applyFilter(open, filter).shown, selected)
