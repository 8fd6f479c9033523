import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'

/** Where the menu has the desk. */
let deskAt: string | undefined
const here = () => location.pathname.replace(/\/$/, '')

/** The chosen record is in the address: a link leads to it, and on a phone "back" leads to the list. */
export const useSelected = () => {
  const [params, setParams] = useSearchParams()
  useEffect(() => {
    deskAt = here()
  }, [])
  const id = Number(params.get('id')) || undefined
  const select = useCallback(
    (next: number | undefined) => {
      const narrow = matchMedia('(max-width: 899px)').matches
      setParams(next ? { id: String(next) } : {}, { replace: !narrow || next === undefined })
    },
    [setParams],
  )
  return [id, select] as const
}

/**
 * The address is ahead of what is painted: a key pressed in between means the record chosen by the key before it.
 * Undefined on the way to another page, whose ids are not of records.
 */
export const selectedNow = (): number | undefined =>
  here() === deskAt ? Number(new URLSearchParams(location.search).get('id')) || undefined : undefined
