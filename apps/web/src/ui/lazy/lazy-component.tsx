import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { fault } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { reloadFailedStyles } from './failed-styles.ts'

/** Delay before a failed chunk is requested again. */
const AGAIN_MS = 10_000

type How<P> = {
  /** Shown until the chunk is loaded. */
  before?: ReactNode
  /** Shown after the chunk failed; `again` requests it at once. */
  missing?: (props: P, again: () => void) => ReactNode
  /** Instead of a retry: closes what opened the component. */
  close?: (props: P) => void
}

/**
 * A component that is loaded when it is first shown. When its chunk fails, because of the network or a newer build,
 * only this component is missing: React.lazy would unmount everything around it, the alarms too.
 */
export const lazyComponent = <P extends object>(load: () => Promise<ComponentType<P>>, how: How<P> = {}) => {
  let known: ComponentType<P> | undefined
  return (props: P): ReactNode => {
    const [Part, setPart] = useState(() => known)
    const [failures, setFailures] = useState(0)
    const failed = useEffectEvent(() => {
      if (failures === 0 && !how.missing) showError(fault('OFFLINE'))
      if (how.close) how.close(props)
      else setFailures(failures + 1)
    })
    useEffect(() => {
      if (Part) return
      let here = true
      const ask = async () => {
        try {
          await reloadFailedStyles()
          known = await load()
          if (here) setPart(() => known)
        } catch {
          if (here) failed()
        }
      }
      const timer = setTimeout(() => void ask(), failures === 0 ? 0 : AGAIN_MS)
      return () => {
        here = false
        clearTimeout(timer)
      }
    }, [Part, failures])
    if (Part) return <Part {...props} />
    return failures > 0 && how.missing ? how.missing(props, () => setFailures(0)) : how.before
  }
}
