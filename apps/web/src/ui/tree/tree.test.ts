import { describe, expect, it } from 'vitest'
import {
  arrowStep,
  currentPlace,
  depthWithin,
  siblingEdges,
  firstRows,
  idsWithin,
  moveRow,
  placeAt,
  filterTree,
  toAntdTree,
  siblingStep,
  treeOf,
} from './tree.ts'

const rows = [
  { id: 3, parentId: 2, name: 'room' },
  { id: 1, parentId: null, name: 'house' },
  { id: 2, parentId: 1, name: 'floor' },
  { id: 9, parentId: 8, name: 'attic' },
  { id: 4, parentId: 1, name: 'cellar' },
]
const titles = (nodes: ReturnType<typeof treeOf<(typeof rows)[number]>>): unknown =>
  nodes.map(({ name, children }) => (children ? [name, titles(children)] : name))

describe('building a tree', () => {
  it('keeps the order, and puts a row without its parent at the top level', () => {
    expect(titles(treeOf(rows))).toEqual([['house', [['floor', ['room']], 'cellar']], 'attic'])
  })

  it('keeps the identity of a leaf', () => {
    const [house] = treeOf(rows)
    expect(house?.children?.[1]).toBe(rows[4])
    expect(house).not.toBe(rows[1])
  })

  it('renders a limited number of rows from the top, and keeps the identity of complete nodes', () => {
    const nodes = treeOf(rows)
    const first = (room: number, ...open: number[]) => {
      const { nodes: shown, whole } = firstRows(nodes, new Set(open), room)
      return [titles(shown), whole]
    }
    expect(firstRows(nodes, new Set([1, 2]), 5)).toMatchObject({ nodes, left: 0, whole: true })
    expect(firstRows(nodes, new Set([1, 2]), 5).nodes).toBe(nodes)
    expect(first(4, 1, 2)).toEqual([[['house', [['floor', ['room']], 'cellar']]], false])
    expect(firstRows(nodes, new Set([1, 2]), 4).nodes[0]).toBe(nodes[0])
    expect(first(2, 1, 2)).toEqual([[['house', [['floor', []]]]], false])
    // A collapsed node needs no room and stays as it is.
    expect(first(2)).toEqual([titles(nodes), true])
    expect(first(1)).toEqual([[['house', [['floor', ['room']], 'cellar']]], false])
  })

  it('filters to matches with their ancestors and descendants', () => {
    const narrowed = (text: string) => titles(filterTree(treeOf(rows), ({ name }) => name.includes(text)))
    expect(narrowed('room')).toEqual([['house', [['floor', ['room']]]]])
    expect(narrowed('floor')).toEqual([['house', [['floor', ['room']]]]])
    expect(narrowed('nothing')).toEqual([])
  })

  it('expands to the wanted depth, unless the list gets long', () => {
    expect(depthWithin(treeOf(rows), 3)).toBe(3)
    const rooms = Array.from({ length: 60 }, (_, n) => ({ id: 100 + n, parentId: 2, name: `room ${n}` }))
    expect(depthWithin(treeOf([...rows, ...rooms]), 3)).toBe(1)
    const attics = rooms.map((room) => ({ ...room, parentId: 8 }))
    expect(depthWithin(treeOf([...rows, ...attics]), 2)).toBe(1)
  })

  it('finds everything within a row in any order of rows', () => {
    expect([...idsWithin(rows, 1)].toSorted()).toEqual([1, 2, 3, 4])
    expect([...idsWithin(rows, 9)]).toEqual([9])
  })

  it('moves before, after and below another, but not within itself', () => {
    const four = [...rows, { id: 5, parentId: 1, name: 'loft' }]
    expect(placeAt(four, 5, { on: 2, where: 'before' })).toEqual({ parentId: 1, beforeId: 2 })
    expect(placeAt(four, 5, { on: 2, where: 'after' })).toEqual({ parentId: 1, beforeId: 4 })
    expect(placeAt(four, 2, { on: 5, where: 'after' })).toEqual({ parentId: 1, beforeId: null })
    expect(placeAt(four, 4, { on: 2, where: 'inside' })).toEqual({ parentId: 2, beforeId: null })
    expect(placeAt(four, 1, { on: 3, where: 'inside' })).toBeUndefined()
    expect(placeAt(four, 2, { on: 2, where: 'before' })).toBeUndefined()
    const [, , floor, , cellar] = four
    expect(floor && siblingStep(four, floor, -1)).toBeUndefined()
    expect(floor && siblingStep(four, floor, 1)).toEqual({ parentId: 1, beforeId: 5 })
    expect(cellar && siblingStep(four, cellar, -1)).toEqual({ parentId: 1, beforeId: 2 })
  })

  it('finds the first and the last sibling, consistent with the steps', () => {
    const { first, last } = siblingEdges(rows)
    const without = (by: -1 | 1) => rows.filter((row) => !siblingStep(rows, row, by)).map(({ id }) => id)
    expect([...first].toSorted()).toEqual(without(-1).toSorted())
    expect([...last].toSorted()).toEqual(without(1).toSorted())
    expect(first.has(4)).toBe(false)
    expect(last.has(2)).toBe(false)
  })

  it('has no list of children where there are none', () => {
    expect(toAntdTree(treeOf(rows), ({ name }) => name)[1]).toEqual({ key: 9, title: 'attic' })
  })
})

describe('moving a row by arrow keys', () => {
  const [room, , floor, , cellar] = rows
  const press = (row: (typeof rows)[number] | undefined, key: string) => row && arrowStep(rows, row, key)

  it('steps up and down among the siblings', () => {
    expect(press(floor, 'ArrowDown')).toEqual({ parentId: 1, beforeId: null })
    expect(press(cellar, 'ArrowUp')).toEqual({ parentId: 1, beforeId: 2 })
    expect(press(cellar, 'ArrowDown')).toBeUndefined()
  })

  it('steps out behind the parent, and into the sibling before', () => {
    expect(press(room, 'ArrowLeft')).toEqual({ parentId: 1, beforeId: 4 })
    expect(press(cellar, 'ArrowRight')).toEqual({ parentId: 2, beforeId: null })
    expect(press(floor, 'ArrowRight')).toBeUndefined()
    expect(press(rows[1], 'ArrowLeft')).toBeUndefined()
  })

  it('shows the rows after a move, and the way back restores them', () => {
    if (!cellar) throw new Error('no cellar')
    const back = currentPlace(rows, cellar)
    const moved = moveRow(rows, 4, { parentId: 1, beforeId: 2 })
    expect(titles(treeOf(moved))).toEqual([['house', ['cellar', ['floor', ['room']]]], 'attic'])
    expect(titles(treeOf(moveRow(moved, 4, back)))).toEqual(titles(treeOf(rows)))
  })
})
