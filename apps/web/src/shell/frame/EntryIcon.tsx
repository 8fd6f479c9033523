import { lazy, Suspense } from 'react'

// Drawings that the menu above the page does without.
const Drawing = lazy(async () => ({ default: (await import('#ui/icon/Drawing.tsx')).Drawing }))

/** The icon of a menu entry; without one, its first letter, so that a collapsed menu still tells entries apart. */
export const EntryIcon = ({ name, title }: { name: string; title: string }) => (
  <span className="anticon entry-icon" aria-hidden="true">
    <Suspense fallback={<b />}>
      <Drawing name={name} letter={[...title][0] ?? ''} />
    </Suspense>
  </span>
)
