import type { PermissionInfo } from '@tocsin/contract/access/auth'
import { preferences } from '@tocsin/contract/access/preference'
import { useEffect, useLayoutEffect } from 'react'
import { call } from '#api/call.ts'
import { isTransient } from '#api/error.ts'
import { followColumnChoices } from './column-preference.ts'
import { usePreferences } from './preferences.ts'
import { adoptPreferences, markSynced, unsynced } from './preference-sync.ts'

/** One call for a dragged slider. */
const PAUSE_MS = 1000
const RETRY_MS = 30_000

/** Sends the choices to the server after a delay; an unreachable server receives them later. */
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

/** The user's preferences on every computer. */
export const usePreferenceSync = (granted: PermissionInfo | undefined): void => {
  const id = granted?.user.id
  const chosen = granted?.preferences
  useLayoutEffect(() => {
    if (id !== undefined && chosen) adoptPreferences(id, chosen)
  }, [id, chosen])
  useEffect(() => (id === undefined ? undefined : tellChanges()), [id])
  useEffect(followColumnChoices, [])
}
