import { fact } from '#db/fact'

/** What later areas react to inside the transaction that did it (DESIGN 4). */
export const alarmFacts = {
  /** A record was raised, or `again`: an ended one rings again in its next epoch, or in the record that goes on from it. */
  raised: fact<{ recordId: number; again: boolean }>('alarm.raised'),
  /** Handed over to the police, by a person or by the system. */
  escalated: fact<{ recordId: number }>('alarm.escalated'),
  resolved: fact<{ recordId: number }>('alarm.resolved'),
  closed: fact<{ recordId: number }>('alarm.closed'),
  /** Open for longer than its level allows (T5). */
  overdue: fact<{ recordId: number }>('alarm.overdue'),
}
