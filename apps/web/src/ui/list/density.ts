import { create } from 'zustand'

export const densities = ['large', 'middle', 'small'] as const
export type Density = (typeof densities)[number]

const KEY = 'tableDensity'

const kept = (): Density => {
  try {
    return densities.find((density) => density === localStorage.getItem(KEY)) ?? 'small'
  } catch {
    return 'small'
  }
}

export const useDensity = create<{ density: Density }>()(() => ({ density: kept() }))

export const setDensity = (density: Density): void => {
  useDensity.setState({ density })
  try {
    localStorage.setItem(KEY, density)
  } catch {
    // Not stored: it lasts as long as the page.
  }
}
