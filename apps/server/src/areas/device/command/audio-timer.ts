import type { Db } from '#db/db'
import { scheduleTimer } from '#timer/timer'

/** Subject is the command that began a sound session; one step. */
export const AUDIO_TIMER = 'device-audio'

/** Ends the session after so many seconds; a later call replaces the instant. */
export const scheduleAudioStop = (trx: Db, subjectId: number, seconds: number): Promise<void> =>
  scheduleTimer(trx, { kind: AUDIO_TIMER, subjectId, step: 'STOP', epoch: 1 }, seconds)
