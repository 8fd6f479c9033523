import { lazyComponent } from '../lazy/lazy-component.tsx'
import { entryIcons } from './entry-icons.ts'
import { isEpIcon } from './icon-names.ts'

const EpIcon = lazyComponent(async () => (await import('./EpIcon.tsx')).EpIcon, { before: <b /> })

/** The icon of a menu's icon name: one of the set, one of our own, or else a letter. */
export const EntryIconImage = ({ name, letter }: { name: string; letter: string }) => {
  if (isEpIcon(name)) return <EpIcon name={name} />
  const Own = Object.hasOwn(entryIcons, name) ? entryIcons[name] : undefined
  return Own ? <Own /> : <b>{letter}</b>
}
