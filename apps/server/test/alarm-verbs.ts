import type { RecordState } from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { claim, reassign, release, claimEscalated } from '#areas/alarm/verb/claim'
import { confirmFalse, markFalse, rejectFalse, resolve } from '#areas/alarm/verb/resolve'
import { markArrived, dispatch, escalate, addNote, sendMore, returnFromPolice, verify } from '#areas/alarm/verb/handle'
import { merge } from '#areas/alarm/verb/merge'
import { close, reject, reopen } from '#areas/alarm/verb/review'
import { shelve, unshelve } from '#areas/alarm/verb/shelve'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import type { Db } from '#db/db'

// Every verb of a user with valid arguments, so that tests vary one thing at a time.

export type On = { id: number; version: number }
type Call = (db: Db, actor: Actor, on: On & { intoId?: number; userId?: number }) => Promise<WarnRecordRow>

const result = { disposition: 'REAL_HANDLED', note: 'looked after' } as const
const soon = () => new Date(Date.now() + 3_600_000)

export const calls = {
  claim,
  release,
  reassign: (db, actor, on) => reassign(db, actor, { ...on, userId: on.userId ?? actor.userId, reason: 'shift ends' }),
  verify: (db, actor, on) => verify(db, actor, { ...on, validation: 2 }),
  dispatch: (db, actor, on) => dispatch(db, actor, { ...on, guards: 'gate guard' }),
  // Makes all users of a school unavailable for assignments; existing assignees stay.
  sendMore: (db, actor, on) => sendMore(db, actor, { ...on, responderIds: [] }),
  arrive: markArrived,
  note: (db, actor, on) => addNote(db, actor, { ...on, note: 'called the gate' }),
  escalate: (db, actor, on) => escalate(db, actor, { ...on, reason: 'fight' }),
  returned: (db, actor, on) => returnFromPolice(db, actor, { ...on, reason: 'wrong place' }),
  resolve: (db, actor, on) => resolve(db, actor, { ...on, ...result }),
  false: (db, actor, on) => markFalse(db, actor, { ...on, disposition: 'FALSE_ACCIDENTAL', note: 'a ball' }),
  confirmFalse,
  refuseFalse: (db, actor, on) => rejectFalse(db, actor, { ...on, reason: 'somebody cried' }),
  merge: (db, actor, on) => merge(db, actor, { ...on, intoId: on.intoId ?? on.id }),
  close,
  reject: (db, actor, on) => reject(db, actor, { ...on, reason: 'no cause given' }),
  reopen: (db, actor, on) => reopen(db, actor, { ...on, reason: 'again' }),
  shelve: (db, actor, on) => shelve(db, actor, { ...on, until: soon(), reason: 'repair' }),
  unshelve,
  take: claimEscalated,
} satisfies Record<string, Call>
export type PersonVerb = keyof typeof calls

export const call = (verb: PersonVerb): Call => calls[verb]

/** The business error, or undefined without one. Other errors are rethrown. */
export const verbError = (made: Promise<unknown>): Promise<BusinessError | undefined> =>
  made.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof BusinessError) return error
      throw error
    },
  )

/** The columns that a record needs in a state. */
export const inState = (state: RecordState, ownerId: number) => ({
  state,
  ...(state === 'NEW' ? {} : { ownerId }),
  ...(state === 'CLAIMED' && { leaseUntil: soon() }),
  ...((state === 'RESOLVED' || state === 'CLOSED') && { resolverId: ownerId }),
})
