import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { CAP_SENDER } from '#areas/alarm/cap/cap-document'
import { ExchangeError } from './exchange-error.ts'
import type { IncomingMessage, MessageReference } from './incoming-message.ts'

const findMessage = (trx: Db, { sender, identifier }: MessageReference) =>
  trx
    .selectFrom('exchangeMessage')
    .select('situationId')
    .where('direction', '=', sender === CAP_SENDER ? 'OUT' : 'IN')
    .where('sender', '=', sender)
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/** Whether the incident came from this sender, who may then change and cancel it. */
export const isFromSender = async (trx: Db, situationId: number, sender: string): Promise<boolean> => {
  const found = await trx
    .selectFrom('exchangeMessage')
    .select('id')
    .where('situationId', '=', situationId)
    .where('direction', '=', 'IN')
    .where('sender', '=', sender)
    .where('type', '=', 'ALARM')
    .executeTakeFirst()
  return found !== undefined
}

/** Only an incident that was exchanged with the other system: numbers can be guessed. */
const findByCaseNo = async (trx: Db, caseNo: string, sender: string): Promise<number | undefined> => {
  const row = await unscoped(trx, 'another system names an incident that was exchanged with it')
    .selectFrom('policeSituation')
    .select('id')
    .where('no', '=', caseNo)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('exchangeMessage as m')
          .select('m.id')
          .whereRef('m.situationId', '=', 'policeSituation.id')
          .where((or) => or.or([or('m.direction', '=', 'OUT'), or('m.sender', '=', sender)])),
      ),
    )
    .executeTakeFirst()
  return row?.id
}

/** The incident of the first known reference; an incident that was transferred goes on in another one. */
export const findReferenced = async (trx: Db, message: IncomingMessage): Promise<number> => {
  for (const reference of message.references) {
    const found = await findMessage(trx, reference)
    if (found?.situationId) return found.situationId
  }
  const id = message.caseNo === null ? undefined : await findByCaseNo(trx, message.caseNo, message.sender)
  if (id !== undefined) return id
  const field = message.caseNo === null ? 'references' : 'caseNo'
  throw new ExchangeError(field, 'names no message or incident that is known here', 404)
}
