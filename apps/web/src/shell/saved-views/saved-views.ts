import { z } from 'zod'

/** A named filter of a list: the parameters of its address. */
export type SavedView = { name: string; query: string }
export const MAX_VIEWS = 12
export const MAX_VIEW_NAME = 20

const Stored = z.record(z.string(), z.array(z.strictObject({ name: z.string(), query: z.string() })))
type Views = z.output<typeof Stored>

const PAGE = ['pageNo', 'pageNum', 'pageSize']

/** The filter of an address in one order, without the page. */
export const toViewQuery = (params: URLSearchParams): string => {
  const filter = new URLSearchParams([...params].filter(([name, value]) => !PAGE.includes(name) && value !== ''))
  filter.sort()
  return filter.toString()
}

/** The stored views by list; none when they cannot be parsed. */
export const parseViews = (stored: string): Views => {
  try {
    return Stored.safeParse(JSON.parse(stored || '{}')).data ?? {}
  } catch {
    return {}
  }
}

/** Adds a view, or replaces the one of the same name. */
export const withView = (stored: string, list: string, view: SavedView): string => {
  const views = parseViews(stored)
  const others = (views[list] ?? []).filter(({ name }) => name !== view.name)
  return JSON.stringify({ ...views, [list]: [...others, view] })
}

export const withoutView = (stored: string, list: string, name: string): string => {
  const { [list]: found = [], ...others } = parseViews(stored)
  const left = found.filter((view) => view.name !== name)
  return JSON.stringify(left.length > 0 ? { ...others, [list]: left } : others)
}
