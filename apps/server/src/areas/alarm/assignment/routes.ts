import { assignments } from '@tocsin/contract/alarm/assignment'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { advanceAssignment } from './advance.ts'
import { listAssignments } from './assignment-rows.ts'
import { setDuty } from './duty.ts'
import { goToRecord } from './go.ts'
import { listMyTasks } from './my-tasks.ts'
import { listResponders } from './responders.ts'

export const assignmentRoutes = ({ db }: { db: Db }): Route[] => [
  route(assignments.responders, ({ actor, query }) => listResponders(db, actor, query.id)),
  route(assignments.list, ({ actor, query }) => listAssignments(db, actor, query.recordId)),
  route(assignments.mine, ({ actor }) => listMyTasks(db, actor)),
  route(assignments.duty, ({ caller, body }) => setDuty(db, caller, body)),
  route(assignments.go, ({ caller, body }) => goToRecord(db, caller, body)),
  route(assignments.receive, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'receive', input: body })),
  route(assignments.depart, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'depart', input: body })),
  route(assignments.arrive, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'arrive', input: body })),
  route(assignments.clear, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'clear', input: body })),
  route(assignments.decline, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'decline', input: body })),
  route(assignments.support, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'support', input: body })),
  route(assignments.report, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'report', input: body })),
  route(assignments.recall, ({ caller, body }) => advanceAssignment(db, caller, { verb: 'recall', input: body })),
]
