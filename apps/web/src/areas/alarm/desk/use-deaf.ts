import { useLive } from '#api/live.ts'
import { useNow } from '#ui/Ago.tsx'

/** A connection is made in less; before that nothing is wrong yet. */
const PATIENCE_MS = 3000

/** Since when the page hears nothing, epoch milliseconds of this computer; undefined while it hears. */
export const useDeaf = (): number | undefined => {
  const { live, since } = useLive()
  const now = useNow()
  return !live && now - since >= PATIENCE_MS ? since : undefined
}
