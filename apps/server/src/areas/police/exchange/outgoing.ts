import type { ExchangeMessage, ExchangeType } from '@tocsin/contract/police/exchange'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { CAP_SENDER, capIdentifier, formatCapTime } from '#areas/alarm/cap/cap-document'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'
import { getSetting } from '#settings/settings-cache'
import { type SituationLogged, situationLogged } from '../situation-hooks.ts'
import type { StoredSituation } from '../situation/situation-rows.ts'
import type { MessageReference } from './incoming-message.ts'

/** Entries of the timeline that the other system is told; all others stay here. */
const typeOfVerb: Readonly<Record<string, ExchangeType>> = {
  create: 'ALARM',
  escalated: 'ALARM',
  transferred: 'ALARM',
  claim: 'ACCEPTED',
  reject: 'REJECTED',
  dispatch: 'DISPATCHED',
  addUnit: 'DISPATCHED',
  ON_SCENE: 'ARRIVED',
  feedback: 'UPDATE',
  transfer: 'UPDATE',
  merge: 'UPDATE',
  unmerge: 'UPDATE',
  reopen: 'UPDATE',
  again: 'UPDATE',
  cancel: 'CANCEL_REQUEST',
  close: 'CLOSED',
}

/** An incident of the other system that ends here is an update for it, not a request. */
const chooseType = (verb: string, { source }: StoredSituation): ExchangeType | undefined => {
  const type = typeOfVerb[verb]
  return type === 'CANCEL_REQUEST' && source === 'EXTERNAL_CAD' ? 'UPDATE' : type
}

const MAX_REFERENCES = 200

/** The first message about the incident and the latest ones, in both directions. */
const listReferences = async (trx: Db, situationId: number): Promise<MessageReference[]> => {
  const rows = await trx
    .selectFrom('exchangeMessage')
    .select(['sender', 'identifier'])
    .where('situationId', '=', situationId)
    .where('type', '!=', 'QUERY')
    .orderBy('id')
    .execute()
  return rows.length <= MAX_REFERENCES ? rows : [...rows.slice(0, 1), ...rows.slice(1 - MAX_REFERENCES)]
}

const forExchange = (trx: Db) => unscoped(trx, 'the dispatch system that an administrator named is told every incident')

const loadSituation = (trx: Db, id: number): Promise<StoredSituation & { schoolCode: string | null }> =>
  forExchange(trx)
    .selectFrom('policeSituation')
    .selectAll('policeSituation')
    .select(sql<string | null>`(select s.code from school s where s.id = police_situation.school_id)`.as('schoolCode'))
    .where('policeSituation.id', '=', id)
    .executeTakeFirstOrThrow()

type Loaded = Awaited<ReturnType<typeof loadSituation>>

const describe = (situation: Loaded, type: ExchangeType): Partial<ExchangeMessage> => {
  const { externalNo, category, schoolCode, place, lng, lat, disposition } = situation
  return {
    ...(externalNo !== null && { externalNo }),
    ...(category !== null && { category }),
    ...(schoolCode !== null && { schoolCode }),
    ...(place !== null && { place }),
    ...(lng !== null && lat !== null && { lng, lat }),
    // No reporter, and no report of the scene: they may name people.
    ...(type === 'ALARM' && { summary: situation.summary }),
    ...(type === 'CLOSED' && { disposition: disposition ?? 'NOTHING_FOUND' }),
    ...(type === 'REJECTED' && { reason: 'OTHER' }),
  }
}

const toMessage = (
  situation: Loaded,
  { logId, at, type, references }: { logId: number; at: Date; type: ExchangeType; references: MessageReference[] },
): ExchangeMessage => ({
  identifier: capIdentifier(situation.no, { no: logId }),
  sender: CAP_SENDER,
  sent: formatCapTime(at),
  type,
  mode: situation.mode,
  ...(references.length > 0 && { references }),
  caseNo: situation.no,
  grade: situation.grade,
  state: situation.state,
  ...describe(situation, type),
})

const isConfigured = async (trx: Db): Promise<boolean> =>
  (await getSetting(trx, 'exchange.out-url')) !== '' && (await getSetting(trx, 'exchange.out-secret')) !== ''

const queue = async (trx: Db, { situationId, logId, at, verb }: SituationLogged): Promise<void> => {
  if (!Object.hasOwn(typeOfVerb, verb) || !(await isConfigured(trx))) return
  const situation = await loadSituation(trx, situationId)
  const type = chooseType(verb, situation)
  if (!type) return
  const message = toMessage(situation, { logId, at, type, references: await listReferences(trx, situationId) })
  const body = JSON.stringify(message)
  await trx
    .insertInto('exchangeMessage')
    .values({
      direction: 'OUT',
      format: 'JSON',
      sender: message.sender,
      identifier: message.identifier,
      type,
      sentAt: at,
      digest: createHash('sha256').update(body).digest('hex'),
      situationId,
      body,
      state: 'QUEUED',
    })
    .execute()
}

/** Queues a message for the other dispatch system in the transaction of the change that it reports. */
export const queueExchangeMessages = addHook(situationLogged, queue)
