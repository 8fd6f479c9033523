import type { FormInstance } from 'antd'
import { useState } from 'react'
import { mergeRemote, currentRowOf, isStale, type RemoteRow, type ReadRemoteRow, type Values } from './remote-row.ts'

/** What a form tells about the change it met; of what it has no field for at the moment only when that comes. */
export type EditConflict = RemoteRow & { merged: readonly string[]; conflicting: readonly string[] }

/**
 * A form whose row somebody else changes meanwhile. What was not touched here follows him; what both changed stays as
 * it was typed, with his value beside it, until the person takes that or saves his own over it.
 * @param begun what the form began with
 */
export const useEditConflict = (form: FormInstance, begun: Values, reading?: ReadRemoteRow) => {
  const [base, setBase] = useState<RemoteRow>()
  const [told, setTold] = useState<EditConflict>()

  const meet = (newer: RemoteRow): EditConflict => {
    // With what no field shows now: one that comes later must not bring back what was there before him.
    const mine: Values = form.getFieldsValue(true)
    const { followed, differing } = mergeRemote(base?.values ?? begun, mine, newer.values)
    form.setFields(followed.map((name) => ({ name, value: newer.values[name], touched: false, errors: [] })))
    setBase(newer)
    const open = [...new Set([...(told?.conflicting ?? []), ...differing])]
    return { ...newer, merged: followed, conflicting: open }
  }

  return {
    /** The version the next save is about. */
    version: base?.version ?? (typeof begun['version'] === 'number' ? begun['version'] : undefined),
    told,
    /** @returns whether this was a refusal as stale, which the form tells from now on. */
    refused: async (error: unknown): Promise<boolean> => {
      if (!isStale(error) || !reading) return false
      // Where what belongs to it could not be read, the refusal itself is what can be told.
      const newer = await Promise.resolve(reading(currentRowOf(error))).catch(() => undefined)
      if (newer) setTold(meet(newer))
      return newer !== undefined
    },
    /** The row was read again and is another one: told only where this form has something of it. */
    changed: (newer: RemoteRow): void => {
      const next = meet(newer)
      const shown: Values = form.getFieldsValue()
      if ([...next.merged, ...next.conflicting].some((name) => name in shown)) setTold(next)
    },
  }
}
