import type { MenuEntry } from '../menu-routes.ts'
import type { LayoutName } from '../theme/preferences.ts'

/** Position of the menu: entries in the header, entries in the sidebar, and whether a drawer shows them. */
export type MenuLayout = { top: readonly MenuEntry[]; side: readonly MenuEntry[]; drawer: boolean }

/** Length of the common prefix of address and path; 0 when the path is not a prefix. */
const sharedWith = ({ path, owns }: MenuEntry, pathname: string): number =>
  Math.max(
    ...[path, owns].map((item) => (item !== undefined && `${pathname}/`.startsWith(`${item}/`) ? item.length : 0)),
  )

/**
 * Entries from the top level to the open page, found by the longest path that is a prefix of the address. For a page
 * that is not in the menu, the last entry is its group.
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

/** First page below an entry; links to other sites do not count. */
export const firstPage = (entry: MenuEntry): string | undefined => {
  if (!entry.children) return entry.path
  for (const child of entry.children) {
    const path = firstPage(child)
    if (path) return path
  }
  return undefined
}

/** Layout mix: entries below a header entry that contains no page, so that the sidebar would never show them. */
export const dropdownChildren = (entry: MenuEntry): readonly MenuEntry[] | undefined =>
  firstPage(entry) === undefined ? entry.children : undefined

/** Always the same object, so that components showing it do not rerender. */
const none: readonly MenuEntry[] = []

type MenuPlace = { layout: LayoutName; wide: boolean; pathname: string; activeTopMenuPath: string }

/**
 * Layout mix: the header entry whose children are in the sidebar. A page outside of the menu keeps the previous one.
 */
export const topEntry = (entries: readonly MenuEntry[], place: Pick<MenuPlace, 'pathname' | 'activeTopMenuPath'>) =>
  breadcrumbTo(entries, place.pathname)[0] ??
  entries.find(({ path }) => path === place.activeTopMenuPath) ??
  entries.find(({ path }) => path !== undefined)

/** SPEC 4 and wire 3.2: `left` uses the sidebar, `top` the header, `mix` both; narrow screens always use the drawer. */
export const arrangeMenu = (entries: readonly MenuEntry[], place: MenuPlace): MenuLayout => {
  if (!place.wide) return { top: none, side: entries, drawer: true }
  if (place.layout === 'left') return { top: none, side: entries, drawer: false }
  if (place.layout === 'top') return { top: entries, side: none, drawer: false }
  return { top: entries, side: topEntry(entries, place)?.children ?? none, drawer: false }
}
