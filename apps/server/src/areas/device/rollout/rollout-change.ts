import { writeAudit } from '#areas/audit/audit'
import { toAuditState } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import type { Row } from '#db/tables'
import type { Caller } from '#http/route'

type Rollout = Row<'rollout'>
type Change = { action: string; id: number; before?: Rollout; after?: Rollout }

/** Null: the server itself. */
export const recordRolloutChange = async (
  trx: Db,
  caller: Caller | null,
  { action, id, before, after }: Change,
): Promise<void> => {
  await emitEvents(trx, { type: 'rollout.changed', ref: id })
  await writeAudit(trx, {
    actor: caller?.actor ?? null,
    origin: caller?.origin ?? null,
    action: `device:rollout:${action}`,
    subject: 'rollout',
    subjectId: id,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })
}
