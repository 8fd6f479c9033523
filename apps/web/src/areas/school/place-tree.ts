import type { PlaceRow } from '@tocsin/contract/school/place'

export type PlaceNode = PlaceRow & { key: number; children: PlaceNode[] }

/** Places as a tree in their order. A place without its parent is shown at the top. */
export const placeTree = (places: readonly PlaceRow[]): PlaceNode[] => {
  const nodes = new Map<number, PlaceNode>(places.map((place) => [place.id, { ...place, key: place.id, children: [] }]))
  const top: PlaceNode[] = []
  for (const node of nodes.values()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId)
    const siblings = parent && parent !== node ? parent.children : top
    siblings.push(node)
  }
  const bySort = (row: PlaceRow, other: PlaceRow) => row.sort - other.sort || row.id - other.id
  for (const { children } of nodes.values()) children.sort(bySort)
  return top.sort(bySort)
}
