import { z } from 'zod'
import { create } from 'zustand'
import { getLocalItem, setLocalItem } from '#api/storage.ts'

/** Columns that the user showed or hid, by key; the others are as the list has them. */
export type ColumnChoice = Readonly<Record<string, boolean>>

const KEY = 'tableColumns'
const Stored = z.record(z.string(), z.record(z.string(), z.boolean()))

/** The choices by list; none when they cannot be parsed. */
export const parseColumnChoices = (text: string | null): Readonly<Record<string, ColumnChoice>> => {
  try {
    return Stored.safeParse(JSON.parse(text ?? '{}')).data ?? {}
  } catch {
    return {}
  }
}

export const useColumnChoices = create<{ lists: Readonly<Record<string, ColumnChoice>> }>()(() => ({
  lists: parseColumnChoices(getLocalItem(KEY)),
}))

/** As the preference of a user, which follows to every computer. */
export const formatColumnChoices = (lists: Readonly<Record<string, ColumnChoice>>): string => JSON.stringify(lists)

const store = (lists: Readonly<Record<string, ColumnChoice>>): void => {
  useColumnChoices.setState({ lists })
  setLocalItem(KEY, formatColumnChoices(lists))
}

export const chooseColumn = (list: string, key: string, isShown: boolean): void => {
  const { lists } = useColumnChoices.getState()
  store({ ...lists, [list]: { ...lists[list], [key]: isShown } })
}

export const resetColumns = (list: string): void => {
  const { [list]: _removed, ...others } = useColumnChoices.getState().lists
  store(others)
}
