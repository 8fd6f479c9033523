import type { FormInstance } from 'antd'
import { useState } from 'react'
import { mergeRemote, currentRowOf, isStale, type RemoteRow, type ReadRemoteRow, type Values } from './remote-row.ts'

/** What a form shows about the conflict; a value without a visible field is shown once the field appears. */
export type EditConflict = RemoteRow & { merged: readonly string[]; conflicting: readonly string[] }

/**
 * Handles a form whose row another user edits meanwhile. Unchanged fields take the remote values; fields changed by
 * both keep the typed value, with the remote one beside it, until the user takes that or saves over it.
 * @param begun the initial values of the form
 */
export const useEditConflict = (form: FormInstance, begun: Values, reading?: ReadRemoteRow) => {
  const [base, setBase] = useState<RemoteRow>()
  const [state, setTold] = useState<EditConflict>()

  const meet = (newer: RemoteRow): EditConflict => {
    // Including values without a visible field: a field that appears later must not restore the old value.
    const mine: Values = form.getFieldsValue(true)
    const { followed, differing } = mergeRemote(base?.values ?? begun, mine, newer.values)
    form.setFields(followed.map((name) => ({ name, value: newer.values[name], touched: false, errors: [] })))
    setBase(newer)
    const open = [...new Set([...(state?.conflicting ?? []), ...differing])]
    return { ...newer, merged: followed, conflicting: open }
  }

  return {
    /** The version that the next save refers to. */
    version: base?.version ?? (typeof begun['version'] === 'number' ? begun['version'] : undefined),
    told: state,
    /** @returns whether this was a stale-version error, which the form shows from now on. */
    refused: async (error: unknown): Promise<boolean> => {
      if (!isStale(error) || !reading) return false
      // Where related rows could not be read, the error itself is shown.
      const newer = await Promise.resolve(reading(currentRowOf(error))).catch(() => undefined)
      if (newer) setTold(meet(newer))
      return newer !== undefined
    },
    /** The row was read again and has changed: shown only where this form has one of the fields. */
    changed: (newer: RemoteRow): void => {
      const next = meet(newer)
      const shown: Values = form.getFieldsValue()
      if ([...next.merged, ...next.conflicting].some((name) => name in shown)) setTold(next)
    },
  }
}
