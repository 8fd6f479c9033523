import { useHasPermission } from '#api/session.ts'
import { AlertHost } from './areas/alarm/desk/AlertHost.tsx'
import { IncidentSoundHost } from './areas/police/desk/IncidentSoundHost.tsx'

/** Alarms, incidents and messages above every page. */
export const AlertsAbove = ({ deskPath }: { deskPath: string | undefined }) => {
  const mayReceive = useHasPermission('police:situation:receive')
  const mayRead = useHasPermission('police:situation:query')
  return (
    <>
      <AlertHost deskPath={deskPath} />
      {mayReceive && mayRead && <IncidentSoundHost />}
    </>
  )
}
