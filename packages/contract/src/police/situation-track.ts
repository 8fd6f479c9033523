import { z } from 'zod'
import { Track } from '../alarm/track.ts'
import { queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'

/** Where the police units that were sent to an incident were meanwhile. */
export const situationTracks = {
  list: endpoint({
    method: 'GET',
    path: '/police/situation-track/list',
    kind: 'json',
    permission: 'warn:record:track',
    scope: 'school',
    summary: '警单出警人员的轨迹',
    summaryEn: 'Tracks of the people who were sent to an incident',
    query: z.strictObject({ situationId: field(queryId, '警单', 'Incident') }),
    data: z.array(Track),
  }),
}
