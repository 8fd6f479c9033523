import type { Branch } from '#ui/tree/tree.ts'

type Row = { id: number; parentId: number | null }

/**
 * The ticked entries of a role: leaves, and parents ticked without any descendant. A parent with ticked descendants is
 * never included: ticking it would tick all its children.
 */
export type MenuSelection = ReadonlySet<number>

const below = <R extends Row>(node: Branch<R>): Branch<R>[] =>
  (node.children ?? []).flatMap((child) => [child, ...below(child)])

const within = <R extends Row>(node: Branch<R>): Branch<R>[] => [node, ...below(node)]

export const flattenTree = <R extends Row>(nodes: readonly Branch<R>[]) => nodes.flatMap(within)

const leaves = <R extends Row>(node: Branch<R>) => within(node).filter(({ children }) => !children)

/** Converts the ids stored for the role, which include the ancestors of each. */
export const toSelection = <R extends Row>(nodes: readonly Branch<R>[], ids: readonly number[]): MenuSelection => {
  const held = new Set(ids)
  return new Set(
    flattenTree(nodes)
      .filter((node) => held.has(node.id) && below(node).every(({ id }) => !held.has(id)))
      .map(({ id }) => id),
  )
}

/** The state of the boxes: a parent is full when all its leaves are ticked, half when some are. */
export const checkboxStates = <R extends Row>(nodes: readonly Branch<R>[], ticks: MenuSelection) => {
  const full = (node: Branch<R>) => leaves(node).every(({ id }) => ticks.has(id))
  const checked = flattenTree(nodes).filter(full)
  const halfChecked = flattenTree(nodes).filter((node) => !full(node) && within(node).some(({ id }) => ticks.has(id)))
  return { checked: checked.map(({ id }) => id), halfChecked: halfChecked.map(({ id }) => id) }
}

/** Toggles an entry with all its visible descendants. */
export const toggleBranch = <R extends Row>(
  nodes: readonly Branch<R>[],
  ticks: MenuSelection,
  id: number,
): MenuSelection => {
  const node = flattenTree(nodes).find((item) => item.id === id)
  if (!node) return ticks
  const on = !leaves(node).every((leaf) => ticks.has(leaf.id))
  const rest = [...ticks].filter((tick) => within(node).every((item) => item.id !== tick))
  return new Set(on ? [...rest, ...leaves(node).map((leaf) => leaf.id)] : rest)
}

/**
 * Toggles an entry separately, with what depends on it: ticking adds its ancestors, clearing removes visible
 * descendants, which would be unreachable.
 */
export const toggleSingle = <R extends Row>(
  { nodes, found }: { nodes: readonly Branch<R>[]; found: readonly Branch<R>[] },
  ticks: MenuSelection,
  id: number,
): MenuSelection => {
  const held = toMenuIds(nodes, ticks, [])
  if (!held.includes(id)) return toSelection(nodes, [...held, id])
  const node = flattenTree(found).find((item) => item.id === id)
  const gone = new Set(node && within(node).map((item) => item.id))
  return toSelection(
    nodes,
    held.filter((item) => !gone.has(item)),
  )
}

export const selectAll = <R extends Row>(nodes: readonly Branch<R>[]): MenuSelection =>
  new Set(nodes.flatMap(leaves).map(({ id }) => id))

/** All visible entries, or none; entries hidden by the search stay unchanged. */
export const setShown = <R extends Row>(
  nodes: readonly Branch<R>[],
  ticks: MenuSelection,
  on: boolean,
): MenuSelection => {
  const shown = new Set(flattenTree(nodes).map(({ id }) => id))
  const rest = [...ticks].filter((id) => !shown.has(id))
  return new Set(on ? [...rest, ...selectAll(nodes)] : rest)
}

/** Merges the own ticks with what another user added to and removed from the common base. */
export const mergeSelections = (before: MenuSelection, mine: MenuSelection, theirs: MenuSelection): MenuSelection =>
  new Set([
    ...[...mine].filter((id) => theirs.has(id) || !before.has(id)),
    ...[...theirs].filter((id) => !before.has(id)),
  ])

/** The ids to send: full and half boxes, and hidden entries of the role. */
export const toMenuIds = <R extends Row>(
  nodes: readonly Branch<R>[],
  ticks: MenuSelection,
  before: readonly number[],
): number[] => {
  const shown = new Set(flattenTree(nodes).map(({ id }) => id))
  const { checked, halfChecked } = checkboxStates(nodes, ticks)
  return [...checked, ...halfChecked, ...before.filter((id) => !shown.has(id))].toSorted((a, b) => a - b)
}
