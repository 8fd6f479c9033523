import { checklists } from '@tocsin/contract/alarm/checklist'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { getChecklist, skipStep, tickStep } from './checklist.ts'
import { soundStep } from './sound-step.ts'

export const checklistRoutes = ({ db }: { db: Db }): Route[] => [
  route(checklists.get, ({ query, actor }) => getChecklist(db, actor, query.id)),
  route(checklists.tick, ({ body, caller }) => tickStep(db, body, caller)),
  route(checklists.sound, ({ body, caller }) => soundStep(db, body, caller)),
  route(checklists.skip, ({ body, caller }) => skipStep(db, body, caller)),
]
