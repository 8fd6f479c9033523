import { later } from '../late/later.tsx'
import { entryIcons } from './entry-icons.ts'
import { isOfSet } from './names.ts'

const SetIcon = later(async () => (await import('./set.tsx')).SetIcon, { before: <b /> })

/** What a menu's icon name stands for: one of the set, one of our own, or else a letter. */
export const Drawing = ({ name, letter }: { name: string; letter: string }) => {
  if (isOfSet(name)) return <SetIcon name={name} />
  const Own = Object.hasOwn(entryIcons, name) ? entryIcons[name] : undefined
  return Own ? <Own /> : <b>{letter}</b>
}
