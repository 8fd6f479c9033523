import { writeAudit } from '#areas/audit/audit'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import type { Caller } from '#http/route'

/** Sets the user on or off duty; repeating it changes nothing. */
export const setDuty = (db: Db, caller: Caller, { onDuty }: { onDuty: boolean }): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const { userId, deptId } = caller.actor
    await trx
      .insertInto('responderDuty')
      .values({ userId, onDuty })
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ onDuty, since: new Date() })
          .where('responderDuty.onDuty', '!=', onDuty),
      )
      .execute()
    await writeAudit(trx, {
      ...caller,
      action: onDuty ? 'warn:task:on-duty' : 'warn:task:off-duty',
      subject: 'responder_duty',
      subjectId: userId,
      after: { onDuty },
    })
    await emitEvents(trx, { type: 'assignment.changed', deptId, userId })
    return true
  })
