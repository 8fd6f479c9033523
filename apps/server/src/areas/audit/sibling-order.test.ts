import { expect, it } from 'vitest'
import { reorderedSiblings } from './sibling-order.ts'

type Row = { id: number; sort: number }
const row = (id: number, sort: number) => ({ id, sort })

type Put = [what: string, among: Row[], moved: [row: Row, before: number | null], order: Row[]]

const cases: Put[] = [
  ['to the front', [row(1, 1), row(2, 2)], [row(9, 3), 1], [row(9, 1), row(1, 2), row(2, 3)]],
  ['to the end', [row(1, 1), row(2, 2)], [row(9, 0), null], [row(1, 0), row(2, 1), row(9, 2)]],
  ['between those of the same number', [row(1, 5), row(2, 5)], [row(9, 5), 2], [row(1, 5), row(9, 6), row(2, 7)]],
  ['before one that is not there: to the end', [row(1, 1)], [row(9, 0), 7], [row(1, 0), row(9, 1)]],
  ['among none', [], [row(9, 4), null], [row(9, 4)]],
  ['beyond the last number', [row(1, 100_000)], [row(9, 100_000), null], [row(1, 0), row(9, 1)]],
]

it.each(cases)('puts a row %s', (_what, siblings, [moved, before], order) => {
  expect(reorderedSiblings(siblings, moved, before)).toEqual(order)
})
