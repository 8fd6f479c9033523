import { CodegenDetail } from '@tocsin/contract/codegen/codegen'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { currentRowOf, isStale, type Values as Flat } from '#ui/edit-conflict/remote-row.ts'
import { type Values, valuesOf } from '../columns/columns-form.ts'
import { flattenForm, type ColumnMerge, mergeColumns, toFormFields, withDependentFields } from './merge-columns.ts'

/** What a form tells about the changes it met, and the way to take them. */
export type ColumnConflictState = ColumnMerge & { take: (names: readonly string[]) => void }

/**
 * A table that somebody else configures meanwhile. What was not touched here follows him; what both changed stays as it
 * was chosen, until the person takes his or saves the own over it.
 * @param begun as it was first read
 */
export const useColumnConflict = (form: FormInstance<Values>, begun: CodegenDetail | undefined) => {
  const [known, setKnown] = useState<ColumnMerge>()
  /** Counts what changes the order of the columns from outside of their list. */
  const [round, setRound] = useState(0)
  const detail = known?.detail ?? begun

  const put = (of: CodegenDetail, flat: Flat) => {
    form.setFields(
      toFormFields(of, flat).map((one) => ({ ...one, name: one.name as never, touched: true, errors: [] })),
    )
    setRound((last) => last + 1)
  }
  const take = (names: readonly string[]) =>
    known && put(known.detail, Object.fromEntries(withDependentFields(names).map((name) => [name, known.theirs[name]])))

  return {
    detail,
    round,
    told: known && { ...known, take },
    /** @returns whether this was a refusal as stale, which the form tells from now on. */
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
