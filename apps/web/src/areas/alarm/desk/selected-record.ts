import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'

/** The desk's address in the menu. */
let deskAt: string | undefined
const here = () => location.pathname.replace(/\/$/, '')

/** The list and the record do not fit side by side. */
export const isNarrowDesk = (): boolean => matchMedia('(max-width: 899px)').matches

/** The selected record is in the address: links can open it, and on a phone "back" leads to the list. */
export const useSelected = () => {
  const [params, setParams] = useSearchParams()
  useEffect(() => {
    deskAt = here()
  }, [])
  const id = Number(params.get('id')) || undefined
  const select = useCallback(
    (next: number | undefined) => {
      setParams(next ? { id: String(next) } : {}, { replace: !isNarrowDesk() || next === undefined })
    },
    [setParams],
  )
  return [id, select] as const
}

/**
 * The address is ahead of the rendered page: a key pressed in between refers to the record selected by the key before.
 * Undefined while another page opens, whose ids are not record ids.
 */
export const selectedNow = (): number | undefined =>
  here() === deskAt ? Number(new URLSearchParams(location.search).get('id')) || undefined : undefined

/** Gives the first record of the queue once: when the desk opens, or with the first alarm after a quiet start. */
export const createFirstChoice = () => {
  let isOver = false
  return (first: number | undefined, selected: number | undefined): number | undefined => {
    if (isOver || first === undefined) return undefined
    isOver = true
    return selected === undefined ? first : undefined
  }
}
