import epSet from '@iconify-json/ep/icons.json' with { type: 'json' }
import { addCollection, Icon } from '@iconify/react/offline'

// Three hundred icons in a chunk of their own, loaded on first use.
addCollection(epSet)

const known: ReadonlySet<string> = new Set(Object.keys(epSet.icons).map((name) => `${epSet.prefix}:${name}`))

/** Every icon of the set by its name, like `ep:bell`, in alphabetical order. */
export const epIconNames: readonly string[] = [...known].toSorted()

/** One of the set; nothing for an unknown name. */
export const EpIcon = ({ name }: { name: string }) => (known.has(name) ? <Icon icon={name} /> : null)
