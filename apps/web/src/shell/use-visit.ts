import { visits } from '@tocsin/contract/insight/visit'
import { useEffect } from 'react'
import { call } from '#api/call.ts'

/** Once for each time the page is loaded. */
let told = false

/** Tells the server that somebody signed in has opened the console; nothing waits for it or fails by it. */
export const useVisit = (signedIn: boolean): void =>
  useEffect(() => {
    if (!signedIn || told) return
    told = true
    void call(visits.count).catch(() => undefined)
  }, [signedIn])
