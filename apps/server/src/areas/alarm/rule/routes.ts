import { ruleTrials } from '@tocsin/contract/alarm/rule-trial'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { getShadowTrial, previewRule } from './rule-trial.ts'
import { listRuleVersions } from './rule-versions.ts'
import { simulateSignal } from './simulate-signal.ts'

export const ruleTrialRoutes = ({ db }: { db: Db }): Route[] => [
  route(ruleTrials.preview, ({ body, actor }) => previewRule(db, actor, body)),
  route(ruleTrials.shadow, ({ query, actor }) => getShadowTrial(db, actor, query.ruleId)),
  route(ruleTrials.simulate, ({ body, actor }) => simulateSignal(db, actor, body)),
  route(ruleTrials.versions, ({ query }) => listRuleVersions(db, query.ruleId)),
]
