import type { MenuEntry } from '../menu-routes.ts'
import type { LayoutName } from '../theme/preferences.ts'

/** Where the menu stands: entries above, entries at the side, and whether they wait in a drawer instead. */
export type MenuLayout = { top: readonly MenuEntry[]; side: readonly MenuEntry[]; drawer: boolean }

/** How much of the address an entry begins with; 0 when it leads elsewhere. */
const sharedWith = ({ path, owns }: MenuEntry, pathname: string): number =>
  Math.max(
    ...[path, owns].map((item) => (item !== undefined && `${pathname}/`.startsWith(`${item}/`) ? item.length : 0)),
  )

/**
 * The entries from the top of the menu down to the open page, by the longest path that begins the address. A page that
 * the menu does not show ends at the group it lies in.
 */
export const breadcrumbTo = (entries: readonly MenuEntry[], pathname: string): MenuEntry[] => {
  const trails = (list: readonly MenuEntry[], above: MenuEntry[]): { trail: MenuEntry[]; length: number }[] =>
    list.flatMap((entry) => {
      const trail = [...above, entry]
      return [{ trail, length: sharedWith(entry, pathname) }, ...trails(entry.children ?? [], trail)]
    })
  const [best] = trails(entries, []).toSorted(
    (left, right) => right.length - left.length || right.trail.length - left.trail.length,
  )
  return best && best.length > 0 ? best.trail : []
}

/** The first page under an entry; other sites are none. */
export const firstPage = (entry: MenuEntry): string | undefined => {
  if (!entry.children) return entry.path
  for (const child of entry.children) {
    const path = firstPage(child)
    if (path) return path
  }
  return undefined
}

/** In layout mix: what hangs below an entry above, which no page under it would ever bring to the side. */
export const dropdownChildren = (entry: MenuEntry): readonly MenuEntry[] | undefined =>
  firstPage(entry) === undefined ? entry.children : undefined

/** Always the same object, so that components showing it do not rerender. */
const none: readonly MenuEntry[] = []

type MenuPlace = { layout: LayoutName; wide: boolean; pathname: string; activeTopMenuPath: string }

/** In layout mix: the entry above whose children stand at the side. A page outside the menu keeps the last one. */
export const topEntry = (entries: readonly MenuEntry[], place: Pick<MenuPlace, 'pathname' | 'activeTopMenuPath'>) =>
  breadcrumbTo(entries, place.pathname)[0] ??
  entries.find(({ path }) => path === place.activeTopMenuPath) ??
  entries.find(({ path }) => path !== undefined)

/** SPEC 4 and wire 3.2: left has all at the side, top all above, mix both; a narrow screen always has the drawer. */
export const arrangeMenu = (entries: readonly MenuEntry[], place: MenuPlace): MenuLayout => {
  if (!place.wide) return { top: none, side: entries, drawer: true }
  if (place.layout === 'left') return { top: none, side: entries, drawer: false }
  if (place.layout === 'top') return { top: entries, side: none, drawer: false }
  return { top: entries, side: topEntry(entries, place)?.children ?? none, drawer: false }
}
