import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { fault } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { reloadFailedStyles } from './failed-styles.ts'

/** So long after a part did not come it is asked for again. */
const AGAIN_MS = 10_000

type How<P> = {
  /** Stands there until the part has come. */
  before?: ReactNode
  /** Stands there once it did not come, and says so itself; `again` asks for it at once. */
  missing?: (props: P, again: () => void) => ReactNode
  /** Instead of asking again: what opened the part takes it back. */
  close?: (props: P) => void
}

/**
 * A part that is loaded when it is first shown. One that does not come, from a line that is cut or a server with a newer
 * build, is missing alone: the kit's own way would take everything around it off the screen, the alarms too.
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
