import { openSituationStates, situationRule, type SituationState } from '@tocsin/contract/police/situation-machine'
import { CATEGORY_DICT } from '@tocsin/contract/police/situation'
import type { ExchangeType } from '@tocsin/contract/police/exchange'
import { CAP_SENDER } from '#areas/alarm/cap/cap-document'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { retryTransaction } from '#db/retry'
import { unscoped } from '#db/scope'
import { insertSituation } from '../situation/create.ts'
import { applySituation, type LockedSituation, lockSituations } from '../situation/execute-verb.ts'
import { hasMerged } from '../situation/pass-on.ts'
import { appendSituationLog, emitSituation } from '../situation/situation-log.ts'
import type { StoredSituation } from '../situation/situation-rows.ts'
import { endUnits } from '../situation/units.ts'
import { ExchangeError } from './exchange-error.ts'
import { findReferenced, isFromSender } from './find-referenced.ts'
import { locateIncident } from './incident-place.ts'
import type { IncomingMessage } from './incoming-message.ts'

/** `NOTED`: it is in the timeline of the incident, and people decide. */
export type ExchangeAnswer = {
  result: 'CREATED' | 'UPDATED' | 'CANCELLED' | 'NOTED' | 'ANSWERED' | 'REPEATED'
  caseNo: string
  state: SituationState
  dispatchedAt: string | null
  arrivedAt: string | null
  closedAt: string | null
  disposition: string | null
}

/** Entries of the timeline, by the type of the message. */
const logVerbs: Record<ExchangeType, string> = {
  ALARM: 'cadAlarm',
  UPDATE: 'cadUpdate',
  CANCEL_REQUEST: 'cadCancel',
  QUERY: 'cadQuery',
  ACCEPTED: 'cadAccepted',
  REJECTED: 'cadRejected',
  DISPATCHED: 'cadDispatched',
  ARRIVED: 'cadArrived',
  CLOSED: 'cadClosed',
}

const forExchange = (trx: Db) => unscoped(trx, 'a signed message of the dispatch system names the incident')

const toAnswer = (result: ExchangeAnswer['result'], situation: StoredSituation): ExchangeAnswer => ({
  result,
  caseNo: situation.no,
  state: situation.state,
  dispatchedAt: situation.dispatchedAt?.toISOString() ?? null,
  arrivedAt: situation.arrivedAt?.toISOString() ?? null,
  closedAt: situation.closedAt?.toISOString() ?? null,
  disposition: situation.disposition,
})

const getSituation = (trx: Db, id: number): Promise<StoredSituation> =>
  forExchange(trx).selectFrom('policeSituation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const checkCategory = async (trx: Db, { category }: IncomingMessage): Promise<string> => {
  if (category === null) return 'OTHER'
  const known = await trx
    .selectFrom('dictData')
    .select('value')
    .where('dictType', '=', CATEGORY_DICT)
    .where('value', '=', category)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!known) throw new ExchangeError('category', 'is not a category of incidents')
  return category
}

const createIncident = async (trx: Db, message: IncomingMessage): Promise<StoredSituation> => {
  const { sender, identifier, externalNo, mode, grade, summary } = message
  const created = await insertSituation(trx, {
    ...(await locateIncident(trx, message)),
    source: 'EXTERNAL_CAD',
    externalNo: externalNo ?? identifier.slice(0, 40),
    mode,
    category: await checkCategory(trx, message),
    grade: grade ?? 2,
    summary: summary ?? identifier,
  })
  if (!created) throw new Error('an incident without an alarm conflicts with none')
  const text = [sender, identifier].join(' ')
  await appendSituationLog(trx, created, { verb: logVerbs.ALARM, actor: null, to: created.state, text })
  await emitSituation(trx, created)
  return created
}

const isOpen = (state: SituationState): boolean => openSituationStates.some((open) => open === state)

/** The new facts of an incident that the same sender reported; its grade only becomes more urgent. */
const updateFacts = async ({ trx, situation, now }: LockedSituation, message: IncomingMessage): Promise<void> => {
  const { summary, place, lng, lat, grade } = message
  await forExchange(trx)
    .updateTable('policeSituation')
    .set({
      ...(summary !== null && { summary }),
      ...(place !== null && { place }),
      ...(lng !== null && lat !== null && { lng, lat }),
      ...(grade !== null && { grade: Math.min(grade, situation.grade) }),
      updateTime: now,
    })
    .where('id', '=', situation.id)
    .execute()
}

const noteMessage = async ({ trx, situation }: LockedSituation, message: IncomingMessage): Promise<void> => {
  const { type, sender, externalNo, summary, text } = message
  const said = [sender, externalNo, text ?? summary].filter(Boolean).join(' ').slice(0, 1000)
  await appendSituationLog(trx, situation, { verb: logVerbs[type], actor: null, text: said })
  await emitSituation(trx, situation)
}

/** Applied where the table of states allows it; later the request is a note, and people decide (domain 2.9). */
const cancelIncident = async (locked: LockedSituation, message: IncomingMessage): Promise<ExchangeAnswer['result']> => {
  await noteMessage(locked, message)
  const { situation } = locked
  const canCancel = situationRule('cancel').from.includes(situation.state) && situation.warnRecordId === null
  if (!canCancel || (await hasMerged(locked))) return 'NOTED'
  const reason = (message.text ?? message.summary ?? message.sender).slice(0, 200)
  await endUnits(locked)
  await applySituation(locked, null, 'cancel', { set: { reason }, text: reason })
  return 'CANCELLED'
}

const applyToIncident = async (
  locked: LockedSituation,
  message: IncomingMessage,
): Promise<ExchangeAnswer['result']> => {
  const { trx, situation } = locked
  const isOwn = await isFromSender(trx, situation.id, message.sender)
  if (message.type === 'CANCEL_REQUEST' && isOwn) return cancelIncident(locked, message)
  const isUpdate = message.type === 'UPDATE' && isOwn && isOpen(situation.state)
  if (isUpdate) await updateFacts(locked, message)
  if (message.type === 'ACCEPTED' && situation.externalNo === null && message.externalNo !== null)
    await forExchange(trx)
      .updateTable('policeSituation')
      .set({ externalNo: message.externalNo })
      .where('id', '=', situation.id)
      .execute()
  await noteMessage(locked, message)
  return isUpdate ? 'UPDATED' : 'NOTED'
}

const applyMessage = async (trx: Db, message: IncomingMessage): Promise<ExchangeAnswer & { id: number }> => {
  if (message.type === 'ALARM') {
    const created = await createIncident(trx, message)
    return { ...toAnswer('CREATED', created), id: created.id }
  }
  const id = await findReferenced(trx, message)
  if (message.type === 'QUERY') return { ...toAnswer('ANSWERED', await getSituation(trx, id)), id }
  const [locked] = await lockSituations(trx, [id])
  if (!locked) throw new Error('the referenced incident was deleted')
  if (locked.situation.mode !== message.mode)
    throw new ExchangeError(message.format === 'CAP' ? 'status' : 'mode', 'differs from that of the incident', 409)
  const result = await applyToIncident(locked, message)
  return { ...toAnswer(result, await getSituation(trx, id)), id }
}

/** A repeat gets the state of its incident; another message with the same identifier is an error. */
const answerRepeat = async (trx: Db, message: IncomingMessage, digest: string): Promise<ExchangeAnswer> => {
  const stored = await trx
    .selectFrom('exchangeMessage')
    .select(['digest', 'situationId'])
    .where('direction', '=', 'IN')
    .where('sender', '=', message.sender)
    .where('identifier', '=', message.identifier)
    .executeTakeFirstOrThrow()
  if (stored.digest !== digest || stored.situationId === null)
    throw new ExchangeError('identifier', 'was used for another message', 409)
  return toAnswer('REPEATED', await getSituation(trx, stored.situationId))
}

const receive = async (trx: Db, message: IncomingMessage, digest: string): Promise<ExchangeAnswer> => {
  const { format, sender, identifier, type, sent } = message
  // A second node with the same message waits here for the commit of the first.
  const row = await trx
    .insertInto('exchangeMessage')
    .values({ direction: 'IN', format, sender, identifier, type, sentAt: sent, digest, state: 'RECEIVED' })
    .onConflict((conflict) => conflict.constraint('exchange_message_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return answerRepeat(trx, message, digest)
  const { id: situationId, ...answer } = await applyMessage(trx, message)
  await trx.updateTable('exchangeMessage').set({ situationId }).where('id', '=', row.id).execute()
  return answer
}

/**
 * Applies a message of another system exactly once, by sender and identifier. A message that cannot be applied leaves
 * no trace, so that its sender may repeat it after the message that it refers to.
 */
export const receiveMessage = async (db: Db, message: IncomingMessage, digest: string): Promise<ExchangeAnswer> => {
  if (message.sender === CAP_SENDER) throw new ExchangeError('sender', 'is this system itself')
  const answer = await retryTransaction(() => db.transaction().execute((trx) => receive(trx, message, digest)))
  wakeSequencer()
  return answer
}
