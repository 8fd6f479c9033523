import epSet from '@iconify-json/ep/icons.json' with { type: 'json' }
import { addCollection, Icon } from '@iconify/react/offline'

// Three hundred drawings from our own bundle; only who shows one of them loads them.
addCollection(epSet)

const known: ReadonlySet<string> = new Set(Object.keys(epSet.icons).map((name) => `${epSet.prefix}:${name}`))

/** Every icon of the set by its name, like `ep:bell`, in alphabetical order. */
export const epIconNames: readonly string[] = [...known].toSorted()

/** One of the set; nothing for a name it does not have. */
export const EpIcon = ({ name }: { name: string }) => (known.has(name) ? <Icon icon={name} /> : null)
