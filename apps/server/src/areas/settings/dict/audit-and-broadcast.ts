import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { toAuditState } from '#areas/audit/edit-transaction'

export type Change = {
  verb: 'create' | 'update' | 'delete'
  subject: 'dict_type' | 'dict_data'
  id: number
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Audits a change and tells every screen: dictionaries belong to nobody in particular. */
export const auditAndBroadcast = async (
  trx: Db,
  who: Caller,
  { verb, subject, id, before, after }: Change,
): Promise<void> => {
  await writeAudit(trx, {
    ...who,
    action: `system:dict:${verb}`,
    subject,
    subjectId: id,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })
  await emitEvents(trx, { type: 'dict.changed', ref: id })
}
