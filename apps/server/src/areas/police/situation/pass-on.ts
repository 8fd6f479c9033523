import { codes } from '@tocsin/contract/codes'
import type { SituationRow } from '@tocsin/contract/police/situation'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { assertStation, insertSituation } from './create.ts'
import {
  applySituation,
  authorizeSituation,
  executeSituation,
  isOpenSituation,
  type LockedSituation,
  lockForCaller,
  type SituationContext,
  type SituationInput,
} from './execute-verb.ts'
import { appendSituationLog, emitSituation } from './situation-log.ts'
import { loadSituationRow, type StoredSituation } from './situation-rows.ts'
import { takeOverUnits } from './unit-steps.ts'
import { endUnits, moveUnits } from './units.ts'

export const hasMerged = async ({ trx, situation }: LockedSituation): Promise<boolean> => {
  const child = await unscoped(trx, 'incidents merged into one that was locked')
    .selectFrom('policeSituation')
    .select('id')
    .where('mergedIntoId', '=', situation.id)
    .where('state', '=', 'MERGED')
    .executeTakeFirst()
  return child !== undefined
}

/** Only closing ends merged incidents too, and their alarms; every other end needs a decision on each of them. */
export const assertNothingMerged = async (locked: LockedSituation): Promise<void> => {
  if (await hasMerged(locked)) throw new BusinessError(codes.situationHasMerged)
}

/** The fields that the new incident takes from the old one. */
const carriedOver = [
  'source',
  'warnRecordId',
  'externalNo',
  'mode',
  'category',
  'grade',
  'schoolId',
  'schoolName',
  'place',
  'lng',
  'lat',
  'reporterName',
  'reporterMobile',
  'summary',
] as const

const carryOver = (situation: StoredSituation): Pick<StoredSituation, (typeof carriedOver)[number]> =>
  // Every name of the list, and nothing else.
  Object.fromEntries(carriedOver.map((name) => [name, situation[name]])) as Pick<
    StoredSituation,
    (typeof carriedOver)[number]
  >

const succeed = async ({ trx, situation, caller }: SituationContext, stationDeptId: number): Promise<number> => {
  const made = await insertSituation(trx, {
    ...carryOver(situation),
    stationDeptId,
    creator: caller.actor.userId,
    updater: caller.actor.userId,
  })
  if (!made) throw new Error('the alarm was taken from the incident that is passed on')
  await appendSituationLog(trx, made, { verb: 'transferred', actor: caller.actor, to: made.state, text: situation.no })
  await emitSituation(trx, made)
  return made.id
}

type Transfer = SituationInput & { stationDeptId: number; reason: string }

/** The other station gets an incident of its own with the alarm; this one ends with a link to it. */
export const transferSituation = (db: Db, caller: Caller, body: Transfer): Promise<SituationRow> =>
  executeSituation(db, caller, ['transfer', body], {
    decide: async (context) => {
      const { trx, situation } = context
      if (situation.stationDeptId === body.stationDeptId) throw new BusinessError(codes.situationSameStation)
      await assertStation(trx, body.stationDeptId)
      await assertNothingMerged(context)
      await endUnits(context)
      await unscoped(trx, 'locked in sight')
        .updateTable('policeSituation')
        .set({ warnRecordId: null })
        .where('id', '=', situation.id)
        .execute()
      const linkedId = await succeed(context, body.stationDeptId)
      return { set: { linkedId, reason: body.reason }, text: body.reason }
    },
  })

const isMergeTarget = (child: StoredSituation, into: StoredSituation): boolean =>
  isOpenSituation(into) && into.stationDeptId === child.stationDeptId && into.mode === child.mode

/** The same event reported twice: units continue for the other incident, which follows how far they are. */
export const mergeSituation = (
  db: Db,
  caller: Caller,
  body: SituationInput & { intoId: number },
): Promise<SituationRow> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { context, others } = await lockForCaller(trx, caller, body.id, [body.intoId])
    await authorizeSituation(context, 'merge', body.version)
    const [target] = others
    if (!target || !isMergeTarget(context.situation, target.situation))
      throw new BusinessError(codes.situationMergeTarget)
    const into = target.situation
    await assertNothingMerged(context)
    const moved = await moveUnits(context, into)
    await applySituation(context, caller, 'merge', { set: { mergedIntoId: into.id }, text: into.no })
    await appendSituationLog(trx, into, { verb: 'absorb', actor: caller.actor, text: context.situation.no })
    await takeOverUnits({ ...target, caller }, moved)
    await emitSituation(trx, into)
    return loadSituationRow(trx, body.id)
  })

/** Possible until the other one ends; transferred units stay there. */
export const unmergeSituation = (
  db: Db,
  caller: Caller,
  body: SituationInput & { reason: string },
): Promise<SituationRow> =>
  executeSituation(db, caller, ['unmerge', body], {
    decide: async ({ trx, situation }) => {
      const into = await unscoped(trx, 'the incident that this one was merged into')
        .selectFrom('policeSituation')
        .selectAll()
        .where('id', '=', situation.mergedIntoId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!into || !isOpenSituation(into)) throw new BusinessError(codes.situationMergeOver)
      return { set: { mergedIntoId: null }, text: body.reason }
    },
  })
