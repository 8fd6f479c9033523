import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, readableTextColor, lightenOrDarken, shadesOf, toOpaqueHex, blackOrWhiteText } from './colors.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)

describe('the shades of a theme color', () => {
  it('lighten by 10 % to 90 % and darken by 20 %, and keep a channel of 255', () => {
    expect(shadesOf('#4080FF')).toEqual({
      '--color-primary': '#4080ff',
      '--color-primary-light-1': '#538dff',
      '--color-primary-light-2': '#6699ff',
      '--color-primary-light-3': '#79a6ff',
      '--color-primary-light-4': '#8cb3ff',
      '--color-primary-light-5': '#a0c0ff',
      '--color-primary-light-6': '#b3ccff',
      '--color-primary-light-7': '#c6d9ff',
      '--color-primary-light-8': '#d9e6ff',
      '--color-primary-light-9': '#ecf2ff',
      '--color-primary-dark-2': '#1a67ff',
    })
  })

  it('stay valid for black and white', () => {
    expect([lightenOrDarken('#000000', -0.2), lightenOrDarken('#ffffff', 0.9), lightenOrDarken('#000', 1)]).toEqual([
      '#000000',
      '#ffffff',
      '#ffffff',
    ])
  })
})

describe('any color', () => {
  it('is accepted in the usual notations, without its transparency', () => {
    expect(['#4080FF', '#48f', '#4080ff80', 'rgb(64, 128, 255)', 'rgba(64 128 255 / 50%)'].map(toOpaqueHex)).toEqual([
      '#4080ff',
      '#4488ff',
      '#4080ff',
      '#4080ff',
      '#4080ff',
    ])
  })

  it('is rejected when invalid', () => {
    expect(['', 'blue?', '#12', '#gggggg', 'rgb(1,2)', 'url(x)'].map(toOpaqueHex)).toEqual(Array(6).fill(undefined))
  })

  it('becomes readable text on light and dark', () => {
    fc.assert(
      fc.property(color, fc.constantFrom('#ffffff', '#141414'), (any, background) => {
        expect(contrast(readableTextColor(any, background), background)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('keeps a readable tone, and carries white or black labels', () => {
    expect(readableTextColor('#0b5', '#000000')).toBe('#00bb55')
    expect([blackOrWhiteText('#4080ff'), blackOrWhiteText('#90ee90'), contrast('#000000', '#ffffff')]).toEqual([
      '#ffffff',
      '#000000',
      21,
    ])
  })
})
