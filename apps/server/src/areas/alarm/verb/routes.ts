import { warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { claim, reassign, release, claimEscalated } from './claim.ts'
import { confirmFalse, markFalse, rejectFalse, resolve } from './resolve.ts'
import { markArrived, dispatch, escalate, addNote, sendMore, returnFromPolice, verify } from './handle.ts'
import { merge } from './merge.ts'
import { close, reject, reopen } from './review.ts'
import { shelve, unshelve } from './shelve.ts'

// A newer record of the same source is open (invariant 2).
registerConstraintErrors({ warn_record_open_key: { code: codes.openTwin } })

export const verbRoutes = ({ db }: { db: Db }): Route[] => [
  route(warnRecords.claim, ({ actor, body }) => claim(db, actor, body)),
  route(warnRecords.take, ({ actor, body }) => claimEscalated(db, actor, body)),
  route(warnRecords.release, ({ actor, body }) => release(db, actor, body)),
  route(warnRecords.reassign, ({ actor, body }) => reassign(db, actor, body)),
  route(warnRecords.verify, ({ actor, body }) => verify(db, actor, body)),
  route(warnRecords.dispatch, ({ actor, body }) => dispatch(db, actor, body)),
  route(warnRecords.sendMore, ({ actor, body }) => sendMore(db, actor, body)),
  route(warnRecords.arrive, ({ actor, body }) => markArrived(db, actor, body)),
  route(warnRecords.note, ({ actor, body }) => addNote(db, actor, body)),
  route(warnRecords.escalate, ({ actor, body }) => escalate(db, actor, body)),
  route(warnRecords.returned, ({ actor, body }) => returnFromPolice(db, actor, body)),
  route(warnRecords.resolve, ({ actor, body }) => resolve(db, actor, body)),
  route(warnRecords.false, ({ actor, body }) => markFalse(db, actor, body)),
  route(warnRecords.confirmFalse, ({ actor, body }) => confirmFalse(db, actor, body)),
  route(warnRecords.refuseFalse, ({ actor, body }) => rejectFalse(db, actor, body)),
  route(warnRecords.merge, ({ actor, body }) => merge(db, actor, body)),
  route(warnRecords.close, ({ actor, body }) => close(db, actor, body)),
  route(warnRecords.reject, ({ actor, body }) => reject(db, actor, body)),
  route(warnRecords.reopen, ({ actor, body }) => reopen(db, actor, body)),
  route(warnRecords.shelve, ({ actor, body }) => shelve(db, actor, body)),
  route(warnRecords.unshelve, ({ actor, body }) => unshelve(db, actor, body)),
]
