import { rollouts } from '@tocsin/contract/device/rollout/rollout-calls'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { addPackage, pagePackages } from './package.ts'
import { getRollout, pageRolloutDevices, pageRollouts } from './rollout-reads.ts'
import { applyRolloutVerb, createRollout, deleteRollout } from './rollout-verbs.ts'

export const rolloutRoutes = ({ db }: { db: Db }): Route[] => [
  route(rollouts.packages, ({ query }) => pagePackages(db, query)),
  route(rollouts.addPackage, ({ body, caller }) => addPackage(db, body, caller)),
  route(rollouts.page, ({ query, actor }) => pageRollouts(db, actor, query)),
  route(rollouts.get, ({ query, actor }) => getRollout(db, actor, query.id)),
  route(rollouts.devices, ({ query, actor }) => pageRolloutDevices(db, actor, query)),
  route(rollouts.create, ({ body, caller }) => createRollout(db, body, caller)),
  route(rollouts.remove, ({ query, caller }) => deleteRollout(db, query.id, caller)),
  route(rollouts.approve, ({ body, caller }) => applyRolloutVerb(db, caller, 'approve', body)),
  route(rollouts.start, ({ body, caller }) => applyRolloutVerb(db, caller, 'start', body)),
  route(rollouts.pause, ({ body, caller }) => applyRolloutVerb(db, caller, 'pause', body)),
  route(rollouts.resume, ({ body, caller }) => applyRolloutVerb(db, caller, 'resume', body)),
  route(rollouts.abort, ({ body, caller }) => applyRolloutVerb(db, caller, 'abort', body)),
  route(rollouts.rollBack, ({ body, caller }) => applyRolloutVerb(db, caller, 'rollBack', body)),
]
