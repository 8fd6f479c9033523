import type { Db } from '#db/db'
import { announce } from '#db/event'
import { audit } from '../audit.ts'
import { recordable, type Who } from '../edit.ts'

export type Change = {
  verb: 'create' | 'update' | 'delete'
  subject: 'dict_type' | 'dict_data'
  id: number
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Audits a change and tells every screen: dictionaries belong to nobody in particular. */
export const recorded = async (trx: Db, who: Who, { verb, subject, id, before, after }: Change): Promise<void> => {
  await audit(trx, {
    ...who,
    action: `system:dict:${verb}`,
    subject,
    subjectId: id,
    before: before ? recordable(before) : null,
    after: after ? recordable(after) : null,
  })
  await announce(trx, { type: 'dict.changed', ref: id })
}
