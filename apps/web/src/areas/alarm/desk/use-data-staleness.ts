import { useLive } from '#api/live.ts'
import { useNow } from '#ui/RelativeTime.tsx'

/** A connection is made in less; before that nothing is wrong yet. */
const PATIENCE_MS = 3000

/**
 * Whether the page hears, and since when what was read at `readAt` may lack what came: until it has been read again
 * after the return. All epoch milliseconds of this computer.
 */
export const useDataStaleness = (readAt: number): { live: boolean; current: boolean; deaf: number | undefined } => {
  const { live, since, from } = useLive()
  const now = useNow()
  const current = live && readAt >= since
  const missing = live ? from : since
  return { live, current, deaf: !current && now - missing >= PATIENCE_MS ? missing : undefined }
}
