import { CodegenDetail } from '@tocsin/contract/codegen/codegen'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { currentRowOf, isStale, type Values as Flat } from '#ui/edit-conflict/remote-row.ts'
import { type Values, valuesOf } from '../columns/columns-form.ts'
import { flattenForm, type ColumnMerge, mergeColumns, toFormFields, withDependentFields } from './merge-columns.ts'

/** The conflicts of a form, and the functions to resolve them. */
export type ColumnConflictState = ColumnMerge & { take: (names: readonly string[]) => void }

/**
 * Handles a table that another user configures during the edit. Untouched fields take the remote value; a field changed
 * by both keeps the local value until the user takes the remote one or saves over it.
 * @param begun the version first read
 */
export const useColumnConflict = (form: FormInstance<Values>, begun: CodegenDetail | undefined) => {
  const [known, setKnown] = useState<ColumnMerge>()
  /** Counts changes of the column order that come from outside of the list. */
  const [round, setRound] = useState(0)
  const detail = known?.detail ?? begun

  const put = (of: CodegenDetail, flat: Flat) => {
    form.setFields(
      toFormFields(of, flat).map((formField) => ({
        ...formField,
        name: formField.name as never,
        touched: true,
        errors: [],
      })),
    )
    setRound((last) => last + 1)
  }
  const take = (names: readonly string[]) =>
    known && put(known.detail, Object.fromEntries(withDependentFields(names).map((name) => [name, known.theirs[name]])))

  return {
    detail,
    round,
    told: known && { ...known, take },
    /** @returns whether the error was a stale version, which the form shows from now on */
    refused: (error: unknown): boolean => {
      if (!isStale(error)) return false
      const { data } = z.safeDecode(CodegenDetail, currentRowOf(error) as z.input<typeof CodegenDetail>)
      if (!data || !detail) return false
      const base = known?.theirs ?? flattenForm(detail, valuesOf(detail))
      const mine = flattenForm(detail, form.getFieldsValue(true) as Values)
      const { next, ...now } = mergeColumns(base, mine, { detail: data, ...(known && { before: known.conflicting }) })
      put(data, next)
      setKnown(now)
      return true
    },
  }
}
