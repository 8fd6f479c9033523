import { defineHook } from '#db/transaction-hook'

/** An entry of the timeline, in the transaction that wrote it and after the change of the incident's row. */
export type SituationLogged = { situationId: number; logId: number; at: Date; verb: string; actorId: number | null }

export const situationLogged = defineHook<SituationLogged>('police.situationLogged')
