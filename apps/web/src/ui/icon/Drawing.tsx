import { lazy, Suspense } from 'react'
import { entryIcons } from './entry-icons.ts'
import { isOfSet } from './names.ts'

const SetIcon = lazy(async () => ({ default: (await import('./set.tsx')).SetIcon }))

/** What a menu's icon name stands for: one of the set, one of our own, or else a letter. */
export const Drawing = ({ name, letter }: { name: string; letter: string }) => {
  if (isOfSet(name))
    return (
      <Suspense fallback={<b />}>
        <SetIcon name={name} />
      </Suspense>
    )
  const Own = Object.hasOwn(entryIcons, name) ? entryIcons[name] : undefined
  return Own ? <Own /> : <b>{letter}</b>
}
