import { procedureRuns, procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import {
  copyBuiltIn,
  createProcedure,
  deleteProcedure,
  publishProcedure,
  retireProcedure,
  updateProcedure,
} from './procedure-edit.ts'
import { builtInProcedures, getCoverage, getProcedure, pageProcedures } from './procedure-reads.ts'
import { getRun, listWorkChoices, pageRuns } from './run-reads.ts'
import { completeStep, endRun, startRun } from './run-verbs.ts'

export const procedureRoutes = ({ db }: { db: Db }): Route[] => [
  route(procedures.page, ({ query, actor }) => pageProcedures(db, actor, query)),
  route(procedures.get, ({ query, actor }) => getProcedure(db, actor, query.id)),
  route(procedures.coverage, () => getCoverage(db)),
  route(procedures.builtIn, () => Promise.resolve([...builtInProcedures])),
  route(procedures.create, ({ body, caller }) => createProcedure(db, body, caller)),
  route(procedures.copy, ({ body, caller }) => copyBuiltIn(db, body, caller)),
  route(procedures.update, ({ body, caller }) => updateProcedure(db, body, caller)),
  route(procedures.publish, ({ body, caller }) => publishProcedure(db, body, caller)),
  route(procedures.retire, ({ body, caller }) => retireProcedure(db, body, caller)),
  route(procedures.remove, ({ query, caller }) => deleteProcedure(db, query.id, caller)),
  route(procedureRuns.page, ({ query, actor }) => pageRuns(db, actor, query)),
  route(procedureRuns.get, ({ query, actor }) => getRun(db, actor, query.id)),
  route(procedureRuns.choices, () => listWorkChoices(db)),
  route(procedureRuns.start, ({ body, caller }) => startRun(db, body, caller)),
  route(procedureRuns.step, ({ body, caller }) => completeStep(db, body, caller)),
  route(procedureRuns.finish, ({ body, caller }) => endRun(db, caller, 'finish', body)),
  route(procedureRuns.fail, ({ body, caller }) => endRun(db, caller, 'fail', body)),
  route(procedureRuns.abort, ({ body, caller }) => endRun(db, caller, 'abort', body)),
]
