import type { MenuEntry, Title } from '../menu-routes.ts'

/** A page of the menu with the names of its groups. */
export type SearchTarget = Title & { key: string; icon: string; path?: string; href?: string; above: readonly Title[] }

export const searchTargets = (entries: readonly MenuEntry[], above: readonly Title[] = []): SearchTarget[] =>
  entries.flatMap((entry) => {
    if (entry.children) return searchTargets(entry.children, [...above, entry])
    const { children: _none, ...own } = entry
    return [{ ...own, above }]
  })

const said = ({ name, nameEn }: Title): string => `${name} ${nameEn}`.toLowerCase()

/** Lower is better; undefined when a word is not found. */
const rank = (target: SearchTarget, words: readonly string[]): number | undefined => {
  const own = said(target)
  const all = [own, ...target.above.map(said), (target.path ?? '').toLowerCase()].join(' ')
  if (!words.every((word) => all.includes(word))) return undefined
  const first = words[0] ?? ''
  if ([target.name, target.nameEn].some((name) => name.toLowerCase().startsWith(first))) return 0
  return words.every((word) => own.includes(word)) ? 1 : 2
}

/**
 * The pages whose names in either language, or those of their ancestors, contain every word; best first, else in menu
 * order.
 */
export const searchMenu = (targets: readonly SearchTarget[], text: string): SearchTarget[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const ranked = targets.map((target) => ({ target, at: rank(target, words) }))
  return ranked
    .flatMap(({ target, at }) => (at === undefined ? [] : [{ target, at }]))
    .toSorted((left, right) => left.at - right.at)
    .map(({ target }) => target)
}

const MOST_RECENT = 6

/** Recent choices without duplicates, latest first. */
export const withRecent = (keys: readonly string[], chosen: string): string[] =>
  [chosen, ...keys.filter((key) => key !== chosen)].slice(0, MOST_RECENT)

/** The recent ones that this user still has, in their order. */
export const recentTargets = (targets: readonly SearchTarget[], keys: readonly string[]): SearchTarget[] =>
  keys.flatMap((key) => targets.find((target) => target.key === key) ?? [])
