import { defineHook } from '#db/transaction-hook'

/** What later areas react to inside the transaction that did it (DESIGN 4). */
export const alarmHooks = {
  /** A record was raised, or `again`: an ended one rings again in its next epoch, or in the record that goes on from it. */
  raised: defineHook<{ recordId: number; again: boolean }>('alarm.raised'),
  /** Handed over to the police, by a person or by the system. */
  escalated: defineHook<{ recordId: number }>('alarm.escalated'),
  resolved: defineHook<{ recordId: number }>('alarm.resolved'),
  closed: defineHook<{ recordId: number }>('alarm.closed'),
  /** Open for longer than its level allows (T5). */
  overdue: defineHook<{ recordId: number }>('alarm.overdue'),
}
