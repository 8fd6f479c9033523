import { describe, expect, it } from 'vitest'
import { filterTree, treeOf } from '#ui/tree/tree.ts'
import {
  selectAll,
  checkboxStates,
  toMenuIds,
  mergeSelections,
  toSelection,
  setShown,
  toggleBranch,
  toggleSingle,
} from './menu-selection.ts'

// 1 alarms: 2 records (3 query, 4 claim), 5 log (6 query); 7 desk
const nodes = treeOf([
  { id: 1, parentId: null },
  { id: 2, parentId: 1 },
  { id: 3, parentId: 2 },
  { id: 4, parentId: 2 },
  { id: 5, parentId: 1 },
  { id: 6, parentId: 5 },
  { id: 7, parentId: null },
])
const reopened = (ids: number[]) => toMenuIds(nodes, toSelection(nodes, ids), ids)

describe('the menu entries of a role', () => {
  it('merge the ticks and clears of another user', () => {
    const [before, mine, theirs] = [new Set([3, 6]), new Set([3, 6, 4]), new Set([6, 7])]
    expect([...mergeSelections(before, mine, theirs)].toSorted()).toEqual([4, 6, 7])
    expect([...mergeSelections(before, new Set([6]), new Set([3]))]).toEqual([])
  })

  it('do not gain unticked children when a parent returns', () => {
    const ticks = toSelection(nodes, [1, 2, 3])
    expect([...ticks]).toEqual([3])
    expect(checkboxStates(nodes, ticks)).toEqual({ checked: [3], halfChecked: [1, 2] })
  })

  it('are sent unchanged without any edit', () => {
    for (const ids of [[], [7], [1, 2, 3], [1, 2, 3, 4, 5, 6, 7], [1, 2, 5, 6]]) expect(reopened(ids)).toEqual(ids)
  })

  it('keep a separately ticked parent half full', () => {
    expect(checkboxStates(nodes, toSelection(nodes, [1, 2]))).toEqual({ checked: [], halfChecked: [1, 2] })
    expect(reopened([1, 2])).toEqual([1, 2])
  })

  it('keep hidden entries', () => {
    expect(reopened([7, 99])).toEqual([7, 99])
  })

  it('are ticked and cleared with all descendants', () => {
    const some = toSelection(nodes, [1, 2, 3, 7])
    const full = toggleBranch(nodes, some, 1)
    expect(toMenuIds(nodes, full, [])).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(toMenuIds(nodes, toggleBranch(nodes, full, 1), [])).toEqual([7])
    expect(toMenuIds(nodes, toggleBranch(nodes, full, 3), [])).toEqual([1, 2, 4, 5, 6, 7])
    expect(selectAll(nodes)).toEqual(full)
  })

  it('of a search tick only the visible descendants', () => {
    const found = filterTree(nodes, ({ id }) => id === 3)
    const some = toSelection(nodes, [1, 2, 4])
    expect(toMenuIds(nodes, toggleBranch(found, some, 1), [])).toEqual([1, 2, 3, 4])
    expect(toMenuIds(nodes, setShown(found, some, true), [])).toEqual([1, 2, 3, 4])
    expect(toMenuIds(nodes, setShown(found, toSelection(nodes, [1, 2, 3, 4]), false), [])).toEqual([1, 2, 4])
    expect(setShown(nodes, some, false)).toEqual(new Set())
  })

  it('are ticked separately with their ancestors, and cleared with unreachable descendants', () => {
    const alone = (ids: number[], id: number, found = nodes) =>
      toMenuIds(nodes, toggleSingle({ nodes, found }, toSelection(nodes, ids), id), [])
    expect(alone([], 1)).toEqual([1])
    expect(alone([1], 2)).toEqual([1, 2])
    expect(alone([7], 4)).toEqual([1, 2, 4, 7])
    expect(alone([1, 2, 4], 3)).toEqual([1, 2, 3, 4])
    expect(alone([1, 2, 4], 4)).toEqual([1, 2])
    expect(alone([1, 2, 3, 4, 5, 6, 7], 2)).toEqual([1, 5, 6, 7])
    expect(
      alone(
        [1, 2, 3, 4],
        2,
        filterTree(nodes, ({ id }) => id === 3),
      ),
    ).toEqual([1, 2, 4])
  })

  it('lose a separately ticked parent when it is ticked and cleared', () => {
    const alone = toSelection(nodes, [1, 2])
    expect(toMenuIds(nodes, toggleBranch(nodes, toggleBranch(nodes, alone, 2), 2), [])).toEqual([])
  })
})
