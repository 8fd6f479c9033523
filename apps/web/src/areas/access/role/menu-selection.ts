import type { Branch } from '#ui/tree/tree.ts'

type Row = { id: number; parentId: number | null }

/**
 * What is ticked for a role: leaves, and parents that are ticked without anything below them. A parent with something
 * below is never in it: ticking that would tick all its children with it.
 */
export type MenuSelection = ReadonlySet<number>

const below = <R extends Row>(node: Branch<R>): Branch<R>[] =>
  (node.children ?? []).flatMap((child) => [child, ...below(child)])

const within = <R extends Row>(node: Branch<R>): Branch<R>[] => [node, ...below(node)]

export const flattenTree = <R extends Row>(nodes: readonly Branch<R>[]) => nodes.flatMap(within)

const leaves = <R extends Row>(node: Branch<R>) => within(node).filter(({ children }) => !children)

/** Takes in the ids the server keeps for the role; they include the way up to each. */
export const toSelection = <R extends Row>(nodes: readonly Branch<R>[], ids: readonly number[]): MenuSelection => {
  const held = new Set(ids)
  return new Set(
    flattenTree(nodes)
      .filter((node) => held.has(node.id) && below(node).every(({ id }) => !held.has(id)))
      .map(({ id }) => id),
  )
}

/** How the boxes look: a parent is full when all its leaves are ticked, half when something in it is. */
export const checkboxStates = <R extends Row>(nodes: readonly Branch<R>[], ticks: MenuSelection) => {
  const full = (node: Branch<R>) => leaves(node).every(({ id }) => ticks.has(id))
  const checked = flattenTree(nodes).filter(full)
  const halfChecked = flattenTree(nodes).filter((node) => !full(node) && within(node).some(({ id }) => ticks.has(id)))
  return { checked: checked.map(({ id }) => id), halfChecked: halfChecked.map(({ id }) => id) }
}

/** A click on a box takes everything below with it, as far as it is shown. */
export const toggleBranch = <R extends Row>(
  nodes: readonly Branch<R>[],
  ticks: MenuSelection,
  id: number,
): MenuSelection => {
  const node = flattenTree(nodes).find((one) => one.id === id)
  if (!node) return ticks
  const on = !leaves(node).every((leaf) => ticks.has(leaf.id))
  const rest = [...ticks].filter((tick) => within(node).every((one) => one.id !== tick))
  return new Set(on ? [...rest, ...leaves(node).map((leaf) => leaf.id)] : rest)
}

/**
 * A click on a box that takes nothing with it but what must be: the way up to it, or, when it is cleared, what is below
 * as far as it is shown, since without it nobody comes there.
 */
export const toggleSingle = <R extends Row>(
  { nodes, found }: { nodes: readonly Branch<R>[]; found: readonly Branch<R>[] },
  ticks: MenuSelection,
  id: number,
): MenuSelection => {
  const held = toMenuIds(nodes, ticks, [])
  if (!held.includes(id)) return toSelection(nodes, [...held, id])
  const node = flattenTree(found).find((one) => one.id === id)
  const gone = new Set(node && within(node).map((one) => one.id))
  return toSelection(
    nodes,
    held.filter((one) => !gone.has(one)),
  )
}

export const selectAll = <R extends Row>(nodes: readonly Branch<R>[]): MenuSelection =>
  new Set(nodes.flatMap(leaves).map(({ id }) => id))

/** All of what is shown, or none of it; what a search leaves out stays as it is. */
export const setShown = <R extends Row>(
  nodes: readonly Branch<R>[],
  ticks: MenuSelection,
  on: boolean,
): MenuSelection => {
  const shown = new Set(flattenTree(nodes).map(({ id }) => id))
  const rest = [...ticks].filter((id) => !shown.has(id))
  return new Set(on ? [...rest, ...selectAll(nodes)] : rest)
}

/** One's own ticks with what somebody else added to and took from those both began with. */
export const mergeSelections = (before: MenuSelection, mine: MenuSelection, theirs: MenuSelection): MenuSelection =>
  new Set([
    ...[...mine].filter((id) => theirs.has(id) || !before.has(id)),
    ...[...theirs].filter((id) => !before.has(id)),
  ])

/** What is sent: the full and the half boxes, and what the role has of entries that are not shown. */
export const toMenuIds = <R extends Row>(
  nodes: readonly Branch<R>[],
  ticks: MenuSelection,
  before: readonly number[],
): number[] => {
  const shown = new Set(flattenTree(nodes).map(({ id }) => id))
  const { checked, halfChecked } = checkboxStates(nodes, ticks)
  return [...checked, ...halfChecked, ...before.filter((id) => !shown.has(id))].toSorted((a, b) => a - b)
}
