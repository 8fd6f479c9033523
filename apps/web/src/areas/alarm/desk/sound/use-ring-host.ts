import { useHasPermission } from '#api/session.ts'

/**
 * What plays the one loop of the console: the alarm sound for users who may claim alarms, else the sound of incidents
 * for users who may claim those. `page`: neither; a page that rings plays its own.
 */
export const useRingHost = (): 'alarm' | 'incident' | 'page' => {
  const mayClaim = useHasPermission('warn:record:claim')
  const mayRead = useHasPermission('warn:record:query')
  const mayReceive = useHasPermission('police:situation:receive')
  const mayReadIncidents = useHasPermission('police:situation:query')
  if (mayClaim && mayRead) return 'alarm'
  return mayReceive && mayReadIncidents ? 'incident' : 'page'
}
