import { InAppMessages } from '#areas/notify/InAppMessages.tsx'
import { AlarmSoundHost } from './sound/AlarmSoundHost.tsx'

/** Alerts on every page: the sound of alarms and the messages to the user. */
export const AlertHost = ({ deskPath }: { deskPath: string | undefined }) => (
  <>
    <AlarmSoundHost deskPath={deskPath} />
    <InAppMessages deskPath={deskPath} />
  </>
)
