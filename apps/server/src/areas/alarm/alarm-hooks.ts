import { defineHook } from '#db/transaction-hook'

/** Events that later areas handle inside the transaction that caused them (DESIGN 4). */
export const alarmHooks = {
  /**
   * A record was raised. With `again`, an ended record rings again in its next epoch, or in the record that continues
   * it.
   */
  raised: defineHook<{ recordId: number; again: boolean }>('alarm.raised'),
  /** The record was handed over to the police, by a person or by the system. */
  escalated: defineHook<{ recordId: number }>('alarm.escalated'),
  resolved: defineHook<{ recordId: number }>('alarm.resolved'),
  closed: defineHook<{ recordId: number }>('alarm.closed'),
  /** The record has been open longer than its level allows (T5). */
  overdue: defineHook<{ recordId: number }>('alarm.overdue'),
}
