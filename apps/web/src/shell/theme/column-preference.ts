import { Preferences } from '@tocsin/contract/access/preference'
import { formatColumnChoices, parseColumnChoices, useColumnChoices } from '#ui/columns/column-choice.ts'
import { setPreferences, usePreferences } from './preferences.ts'

/** The columns that a user chose are a preference like the others. @returns the function that ends it. */
export const followColumnChoices = (): (() => void) => {
  const adopt = (tableColumns: string) => {
    if (tableColumns === formatColumnChoices(useColumnChoices.getState().lists)) return
    useColumnChoices.setState({ lists: parseColumnChoices(tableColumns || null) })
  }
  adopt(usePreferences.getState().tableColumns)
  const endAdopting = usePreferences.subscribe(({ tableColumns }, before) => {
    if (tableColumns !== before.tableColumns) adopt(tableColumns)
  })
  const endChoosing = useColumnChoices.subscribe(({ lists }) => {
    const tableColumns = formatColumnChoices(lists)
    if (tableColumns === (usePreferences.getState().tableColumns || '{}')) return
    if (Preferences.safeParse({ tableColumns }).success) setPreferences({ tableColumns })
  })
  return () => {
    endAdopting()
    endChoosing()
  }
}
