import { lazyComponent } from '#ui/lazy/lazy-component.tsx'

// Icons that the menu above the page does without.
const EntryIconImage = lazyComponent(async () => (await import('#ui/icon/EntryIconImage.tsx')).EntryIconImage, {
  before: <b />,
  missing: ({ letter }) => <b>{letter}</b>,
})

/** The icon of a menu entry; without one, its first letter, so that a collapsed menu still distinguishes entries. */
export const EntryIcon = ({ name, title }: { name: string; title: string }) => (
  <span className="anticon entry-icon" aria-hidden="true">
    <EntryIconImage name={name} letter={[...title][0] ?? ''} />
  </span>
)
