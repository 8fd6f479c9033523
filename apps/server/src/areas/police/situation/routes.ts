import { situationCalls, situations } from '@tocsin/contract/police/situations'
import { situationTracks } from '@tocsin/contract/police/situation-track'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportCap } from '../exchange/cap-export.ts'
import { createSituation } from './create.ts'
import { situationExport } from './export.ts'
import { listSituationTracks } from './list-situation-tracks.ts'
import { mergeSituation, transferSituation, unmergeSituation } from './pass-on.ts'
import { deskSituations, findOfRecord, getSituation, pageSituations } from './reads.ts'
import { loadSituationTimes } from './times.ts'
import { listUnitChoices } from './units.ts'
import {
  addSituationNote,
  addUnits,
  cancelSituation,
  claimSituation,
  closeSituation,
  dispatchUnits,
  feedBack,
  recallFrom,
  reopenSituation,
  returnToSchool,
} from './verbs.ts'

export const situationRoutes = ({ db }: { db: Db }): Route[] => [
  route(situations.page, ({ query, actor }) => pageSituations(db, actor, query)),
  route(situations.get, ({ query, caller }) => getSituation(db, caller, query.id)),
  route(situations.desk, ({ actor }) => deskSituations(db, actor)),
  route(situations.ofRecord, ({ query, actor }) => findOfRecord(db, actor, query.recordId)),
  route(situations.times, ({ actor, query }) => loadSituationTimes(db, actor, query)),
  route(situations.cap, ({ caller, query }) => exportCap(db, caller, query.id)),
  route(situations.units, ({ query, actor }) => listUnitChoices(db, actor, query.id)),
  route(situationTracks.list, ({ query, caller }) => listSituationTracks(db, caller, query.situationId)),
  route(situations.create, ({ body, caller }) => createSituation(db, body, caller)),
  route(situationCalls.claim, ({ body, caller }) => claimSituation(db, caller, body)),
  route(situationCalls.dispatch, ({ body, caller }) => dispatchUnits(db, caller, body)),
  route(situationCalls.addUnit, ({ body, caller }) => addUnits(db, caller, body)),
  route(situationCalls.recall, ({ body, caller }) => recallFrom(db, caller, body)),
  route(situationCalls.transfer, ({ body, caller }) => transferSituation(db, caller, body)),
  route(situationCalls.reject, ({ body, caller }) => returnToSchool(db, caller, body)),
  route(situationCalls.merge, ({ body, caller }) => mergeSituation(db, caller, body)),
  route(situationCalls.unmerge, ({ body, caller }) => unmergeSituation(db, caller, body)),
  route(situationCalls.note, ({ body, caller }) => addSituationNote(db, caller, body)),
  route(situationCalls.feedback, ({ body, caller }) => feedBack(db, caller, body)),
  route(situationCalls.close, ({ body, caller }) => closeSituation(db, caller, body)),
  route(situationCalls.cancel, ({ body, caller }) => cancelSituation(db, caller, body)),
  route(situationCalls.reopen, ({ body, caller }) => reopenSituation(db, caller, body)),
  ...exportRoutes(db, situationExport),
]
