import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'

/** The incident in the address, even when it has left the queue; without one the first of the queue. */
export const chosenIncident = (params: URLSearchParams, queue: readonly { id: number }[]): number | undefined => {
  const id = Number(params.get('id'))
  return Number.isSafeInteger(id) && id > 0 ? id : queue[0]?.id
}

/**
 * The chosen incident is in the address: links open it. The first choice is written there too, so that a more urgent
 * incident does not take its place while the operator works on it.
 */
export const useChosen = (queue: readonly { id: number }[]) => {
  const [params, setParams] = useSearchParams()
  const chosen = chosenIncident(params, queue)
  const choose = useCallback((id: number) => setParams({ id: String(id) }, { replace: true }), [setParams])
  const isInAddress = params.get('id') === String(chosen)
  useEffect(() => {
    if (chosen !== undefined && !isInAddress) choose(chosen)
  }, [chosen, isInAddress, choose])
  return [chosen, choose] as const
}
