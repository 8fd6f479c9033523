import type { ReportKind } from '@tocsin/contract/police/report-kind'
import type { SituationState } from '@tocsin/contract/police/situation-machine'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { runHooks } from '#db/transaction-hook'
import { situationLogged } from '../situation-hooks.ts'
import type { StoredSituation } from './situation-rows.ts'

type Entry = {
  verb: string
  actor: { userId: number; nickname: string } | null
  from?: SituationState | null
  to?: SituationState | null
  unitName?: string | null
  text?: string | null
  fileIds?: readonly number[]
  reportKind?: ReportKind | null
}

/** Appends to the timeline; @returns the entry's id. */
export const appendSituationLog = async (
  trx: Db,
  { id: situationId }: Pick<StoredSituation, 'id'>,
  { verb, actor, from = null, to = null, unitName = null, text = null, fileIds = [], reportKind = null }: Entry,
): Promise<number> => {
  const { id, at } = await trx
    .insertInto('policeSituationLog')
    .values({
      situationId,
      verb,
      actorId: actor?.userId ?? null,
      actorName: actor?.nickname ?? null,
      fromState: from,
      toState: to,
      unitName,
      text,
      fileIds: [...fileIds],
      reportKind,
    })
    .returning(['id', 'at'])
    .executeTakeFirstOrThrow()
  await runHooks(trx, situationLogged, { situationId, logId: id, at, verb, actorId: actor?.userId ?? null })
  return id
}

type Addressed = Pick<StoredSituation, 'id' | 'schoolId' | 'stationDeptId'>

/** Notifies the station and users who see the school. */
export const emitSituation = (trx: Db, { id, schoolId, stationDeptId }: Addressed): Promise<void> =>
  emitEvents(trx, { type: 'situation.changed', ref: id, schoolId, deptId: stationDeptId })
