import { visits } from '@tocsin/contract/insight/visit'
import { useEffect } from 'react'
import { call } from '#api/call.ts'

/** Once for each time the page is loaded. */
let value = false

/** Reports that a signed-in user opened the console; nothing waits for it or fails by it. */
export const useVisit = (signedIn: boolean): void =>
  useEffect(() => {
    if (!signedIn || value) return
    value = true
    void call(visits.count).catch(() => undefined)
  }, [signedIn])
