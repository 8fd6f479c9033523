import { useLive } from '#api/live.ts'
import { useNow } from '#ui/RelativeTime.tsx'

/** A connection takes less time; until then nothing is wrong. */
const PATIENCE_MS = 3000

/**
 * Whether the page is connected, and since when data fetched at `readAt` may miss events: until they were refetched
 * after the reconnect. All epoch milliseconds of this computer.
 */
export const useDataStaleness = (readAt: number): { live: boolean; current: boolean; deaf: number | undefined } => {
  const { live, since, from } = useLive()
  const now = useNow()
  const current = live && readAt >= since
  const missing = live ? from : since
  return { live, current, deaf: !current && now - missing >= PATIENCE_MS ? missing : undefined }
}
