import type { Key } from 'react'

type Row = { id: number; parentId: number | null }
/** `children` is absent for a leaf: antd shows an expander for an empty list. */
export type Branch<R extends Row> = R & { children?: Branch<R>[] }

/**
 * Rows as a tree in their order. A row whose parent is missing is shown at the top level. A leaf is the very row that
 * was loaded, so that unchanged rows keep their identity.
 */
export const treeOf = <R extends Row>(rows: readonly R[]): Branch<R>[] => {
  const known = new Set(rows.map(({ id }) => id))
  const below = new Map<number, R[]>()
  const top: R[] = []
  for (const row of rows) {
    const { id, parentId } = row
    if (parentId === null || parentId === id || !known.has(parentId)) top.push(row)
    else below.set(parentId, [...(below.get(parentId) ?? []), row])
  }
  const branch = (row: R): Branch<R> => {
    const children = below.get(row.id)
    return children ? { ...row, children: children.map(branch) } : row
  }
  return top.map(branch)
}

/** The rows down to a depth that have children. */
export const expandableKeys = <R extends Row>(nodes: readonly Branch<R>[], depth: number): number[] =>
  depth === 0
    ? []
    : nodes.flatMap((node) => (node.children ? [node.id, ...expandableKeys(node.children, depth - 1)] : []))

/** The number of visible rows of a tree expanded to a depth. */
const seen = <R extends Row>(nodes: readonly Branch<R>[], depth: number): number =>
  nodes.reduce((n, { children }) => n + (depth > 0 && children ? seen(children, depth - 1) : 0), nodes.length)

/** A few screens: further rows are expanded on demand. */
const FIRST_ROWS = 60

/** The depth to which a tree expands initially: as wanted, but without becoming a long list; the top level always. */
export const depthWithin = <R extends Row>(nodes: readonly Branch<R>[], wanted: number): number =>
  wanted > 1 && seen(nodes, wanted) > FIRST_ROWS ? depthWithin(nodes, wanted - 1) : wanted

type Part<R extends Row> = { nodes: Branch<R>[]; left: number; whole: boolean }

/** As many rows of an expanded tree as there is room for, from its top; the same nodes where nothing is left out. */
export const firstRows = <R extends Row>(nodes: Branch<R>[], open: ReadonlySet<Key>, room: number): Part<R> => {
  const shown: Branch<R>[] = []
  let [left, whole] = [room, true]
  for (const node of nodes) {
    if (left === 0) return { nodes: shown, left, whole: false }
    left -= 1
    const part = node.children && open.has(node.id) ? firstRows(node.children, open, left) : undefined
    if (part) [left, whole] = [part.left, part.whole]
    shown.push(!part || part.whole ? node : { ...node, children: part.nodes })
    if (!whole) return { nodes: shown, left, whole }
  }
  return { nodes, left, whole }
}

/** The ids of a row and of its descendants: where it can never move. */
export const idsWithin = (rows: readonly Row[], id: number): Set<number> => {
  const within = new Set([id])
  // Rows come in any order, so repeat until nothing is added.
  for (let before = 0; before < within.size; ) {
    before = within.size
    for (const row of rows) if (row.parentId !== null && within.has(row.parentId)) within.add(row.id)
  }
  return within
}

/** The ids of the rows above a row. */
export const ancestorIds = (rows: readonly Row[], id: number): number[] => {
  const parents = new Map(rows.map((row) => [row.id, row.parentId]))
  const above = new Set<number>()
  for (let at = parents.get(id); at && !above.has(at); at = parents.get(at)) above.add(at)
  return [...above]
}

/** Only matches, with their ancestors. */
export const filterTree = <R extends Row>(nodes: readonly Branch<R>[], matches: (row: R) => boolean): Branch<R>[] =>
  nodes.flatMap((node) => {
    if (matches(node)) return [node]
    const children = filterTree(node.children ?? [], matches)
    return children.length > 0 ? [{ ...node, children }] : []
  })

/** The target of a move: the parent, and the sibling before which it goes; null after all of them. */
export type TreePlace = { parentId: number | null; beforeId: number | null }
export type Where = 'before' | 'after' | 'inside'

const siblingsOf = (rows: readonly Row[], parentId: number | null) => rows.filter((row) => row.parentId === parentId)

/** The target of dropping a row before, after or on another; undefined where it cannot go. */
export const placeAt = (
  rows: readonly Row[],
  id: number,
  { on, where }: { on: number; where: Where },
): TreePlace | undefined => {
  const target = rows.find((row) => row.id === on)
  if (!target || idsWithin(rows, id).has(on)) return undefined
  if (where === 'inside') return { parentId: on, beforeId: null }
  const siblings = siblingsOf(rows, target.parentId).filter((row) => row.id !== id)
  const at = siblings.findIndex((row) => row.id === on) + (where === 'after' ? 1 : 0)
  return { parentId: target.parentId, beforeId: siblings[at]?.id ?? null }
}

/** The first and the last of the siblings. */
export type SiblingEdges = { first: ReadonlySet<number>; last: ReadonlySet<number> }

/** For all rows at once: asking each for its siblings would traverse the tree for every row. */
export const siblingEdges = (rows: readonly Row[]): SiblingEdges => {
  const firsts = new Map(rows.toReversed().map(({ id, parentId }) => [parentId, id]))
  const lasts = new Map(rows.map(({ id, parentId }) => [parentId, id]))
  return { first: new Set(firsts.values()), last: new Set(lasts.values()) }
}

/** Target of a move by one position among the siblings; undefined at the end. */
export const siblingStep = (rows: readonly Row[], { id, parentId }: Row, step: -1 | 1): TreePlace | undefined => {
  const siblings = siblingsOf(rows, parentId)
  const next = siblings[siblings.findIndex((row) => row.id === id) + step]
  return next && placeAt(rows, id, { on: next.id, where: step < 0 ? 'before' : 'after' })
}

/**
 * Target of a move by an arrow key: up and down among the siblings, left behind the parent, right into the sibling
 * before. Undefined where there is none.
 */
export const arrowStep = (rows: readonly Row[], row: Row, key: string): TreePlace | undefined => {
  if (key === 'ArrowUp') return siblingStep(rows, row, -1)
  if (key === 'ArrowDown') return siblingStep(rows, row, 1)
  if (key === 'ArrowLeft')
    return row.parentId === null ? undefined : placeAt(rows, row.id, { on: row.parentId, where: 'after' })
  if (key !== 'ArrowRight') return undefined
  const siblings = siblingsOf(rows, row.parentId)
  const before = siblings[siblings.findIndex(({ id }) => id === row.id) - 1]
  return before && placeAt(rows, row.id, { on: before.id, where: 'inside' })
}

/** Where a row is, as the target that brings it back. */
export const currentPlace = (rows: readonly Row[], { id, parentId }: Row): TreePlace => {
  const siblings = siblingsOf(rows, parentId)
  return { parentId, beforeId: siblings[siblings.findIndex((row) => row.id === id) + 1]?.id ?? null }
}

/** The rows as they are after a move. */
export const moveRow = <R extends Row>(rows: readonly R[], id: number, { parentId, beforeId }: TreePlace): R[] => {
  const others = rows.filter((row) => row.id !== id)
  const moved = rows.filter((row) => row.id === id).map((row) => ({ ...row, parentId }))
  const at = others.findIndex((row) => row.id === beforeId)
  return others.toSpliced(at < 0 ? others.length : at, 0, ...moved)
}

export type AntdTreeNode = { key: number; title: string; children?: AntdTreeNode[] }

/** In the shape of antd's tree. */
export const toAntdTree = <R extends Row>(nodes: readonly Branch<R>[], title: (row: R) => string): AntdTreeNode[] =>
  nodes.map((node) => ({
    key: node.id,
    title: title(node),
    ...(node.children && { children: toAntdTree(node.children, title) }),
  }))
