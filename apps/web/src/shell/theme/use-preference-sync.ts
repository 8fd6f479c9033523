import type { PermissionInfo } from '@tocsin/contract/access/auth'
import { preferences } from '@tocsin/contract/access/preference'
import { useEffect, useLayoutEffect } from 'react'
import { call } from '#api/call.ts'
import { isTransient } from '#api/error.ts'
import { usePreferences } from './preferences.ts'
import { adoptPreferences, markSynced, unsynced } from './preference-sync.ts'

/** One call for a slider that was dragged. */
const PAUSE_MS = 1000
const RETRY_MS = 30_000

/** Tells the server what is chosen here, a moment later; a server that is away is told when it is back. */
const tellChanges = (): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void tell(), ms)
  }
  const tell = async () => {
    const waiting = unsynced()
    if (Object.keys(waiting).length === 0) return
    try {
      await call(preferences.update, { body: waiting })
      markSynced(waiting)
    } catch (error) {
      if (isTransient(error)) soon(RETRY_MS)
    }
  }
  const end = usePreferences.subscribe(() => soon(PAUSE_MS))
  soon(0)
  return () => {
    end()
    clearTimeout(timer)
  }
}

/** The console looks to this person as he left it, on whatever computer. */
export const usePreferenceSync = (granted: PermissionInfo | undefined): void => {
  const id = granted?.user.id
  const chosen = granted?.preferences
  useLayoutEffect(() => {
    if (id !== undefined && chosen) adoptPreferences(id, chosen)
  }, [id, chosen])
  useEffect(() => (id === undefined ? undefined : tellChanges()), [id])
}
