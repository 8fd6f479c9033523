import { describe, expect, it } from 'vitest'
import { filterIconNames, isEpIcon, moveInGrid } from './icon-names.ts'

describe('looking for an icon', () => {
  const names = ['ep:bell', 'ep:bell-filled', 'ep:video-camera-filled', 'user']
  it.each([
    ['', names],
    ['  ', names],
    ['bell', ['ep:bell', 'ep:bell-filled']],
    ['Filled video', ['ep:video-camera-filled']],
    ['nothing', []],
  ])('%j', (text, expected) => expect(filterIconNames(names, text)).toEqual(expected))

  it('finds icons of the set by name', () => expect([isEpIcon('ep:bell'), isEpIcon('user')]).toEqual([true, false]))
})

describe('an arrow in a grid of 5 columns and 12 icons', () => {
  const grid = { columns: 5, count: 12 }
  it.each([
    ['ArrowRight', 4, 5],
    ['ArrowRight', 11, 11],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 6, 11],
    ['ArrowDown', 7, 7],
    ['ArrowUp', 7, 2],
    ['ArrowUp', 2, 2],
    ['Home', 7, 0],
    ['End', 7, 11],
    ['a', 7, 7],
  ])('%s at %d leads to %d', (key, at, to) => expect(moveInGrid(key, at, grid)).toBe(to))
})
