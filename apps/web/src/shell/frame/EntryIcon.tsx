import { lazy, Suspense } from 'react'

// Two dozen drawings that the menu above the page does without.
const Drawing = lazy(async () => {
  const { entryIcons } = await import('./entry-icons.ts')
  return {
    default: ({ name, letter }: { name: string; letter: string }) => {
      const Icon = Object.hasOwn(entryIcons, name) ? entryIcons[name] : undefined
      return Icon ? <Icon /> : <b>{letter}</b>
    },
  }
})

/** The icon of a menu entry; without one, its first letter, so that a collapsed menu still tells entries apart. */
export const EntryIcon = ({ name, title }: { name: string; title: string }) => (
  <span className="anticon entry-icon" aria-hidden="true">
    <Suspense fallback={<b />}>
      <Drawing name={name} letter={[...title][0] ?? ''} />
    </Suspense>
  </span>
)
