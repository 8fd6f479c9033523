import { codes } from '@tocsin/contract/codes'
import { possibleReports } from '@tocsin/contract/police/report'
import type { ReportKind } from '@tocsin/contract/police/report-kind'
import { CATEGORY_DICT, type SituationRow } from '@tocsin/contract/police/situation'
import { REOPEN_SITUATION_DAYS } from '@tocsin/contract/police/situation-machine'
import { CloseBody, FeedbackBody, type situationCalls } from '@tocsin/contract/police/situations'
import type { Input } from '@tocsin/contract/endpoint'
import { resolveByPolice, returnByPolice } from '#areas/alarm/end-by-police'
import { fieldError } from '#areas/audit/edit-transaction'
import { checkDictValues } from '#areas/audit/entity/dict-values'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { executeSituation, type SituationContext } from './execute-verb.ts'
import { assertNothingMerged } from './pass-on.ts'
import { namesOut, recallUnit, sendUnits, endUnits } from './units.ts'

type Body<V extends keyof typeof situationCalls> = Input<(typeof situationCalls)[V]>['body']
type Run<V extends keyof typeof situationCalls> = (db: Db, caller: Caller, body: Body<V>) => Promise<SituationRow>

const all = (context: SituationContext) => unscoped(context.trx, 'an incident that was locked in sight')

/** The acting user claims an unowned incident. */
const ownedBy = ({ situation, caller }: SituationContext) =>
  situation.ownerId === null ? { ownerId: caller.actor.userId } : {}

export const claimSituation: Run<'claim'> = (db, caller, body) =>
  executeSituation(db, caller, ['claim', body], {
    decide: () => ({
      set: { ownerId: caller.actor.userId },
      reached: ['claimedAt'],
    }),
  })

export const dispatchUnits: Run<'dispatch'> = (db, caller, body) =>
  executeSituation(db, caller, ['dispatch', body], {
    decide: async (context) => ({
      set: ownedBy(context),
      reached: ['claimedAt', 'dispatchedAt'],
      unitName: (await sendUnits(context, body)).join('、').slice(0, 40),
    }),
  })

export const addUnits: Run<'addUnit'> = (db, caller, body) =>
  executeSituation(db, caller, ['addUnit', body], {
    decide: async (context) => ({
      unitName: (await sendUnits(context, body)).join('、').slice(0, 40),
    }),
  })

export const recallFrom: Run<'recall'> = (db, caller, body) =>
  executeSituation(db, caller, ['recall', body], {
    decide: async (context) => ({
      unitName: await recallUnit(context, body.assignmentId),
      text: body.reason,
    }),
  })

export const addSituationNote: Run<'note'> = (db, caller, body) =>
  executeSituation(db, caller, ['note', body], { decide: () => ({ text: body.text, fileIds: body.fileIds ?? [] }) })

/** The kind that was asked for, where it may come now; else the usual one. */
const chooseReport = async (context: SituationContext, wanted: ReportKind | undefined): Promise<ReportKind> => {
  const reports = await all(context)
    .selectFrom('policeSituationLog')
    .select('id')
    .where('situationId', '=', context.situation.id)
    .where('verb', '=', 'feedback')
    .execute()
  const possible = possibleReports(reports.length)
  const kind = wanted ?? possible[0]
  if (kind === undefined || !possible.includes(kind)) throw fieldError(FeedbackBody, 'kind', 'choice')
  return kind
}

export const feedBack: Run<'feedback'> = (db, caller, body) =>
  executeSituation(db, caller, ['feedback', body], {
    decide: async (context) => ({
      reached: ['fedBackAt'],
      text: body.text,
      fileIds: body.fileIds ?? [],
      reportKind: await chooseReport(context, body.kind),
    }),
  })

/** Domain 2.9: at least one report, every assignment ended. */
const assertClosable = async (context: SituationContext): Promise<void> => {
  const out = await namesOut(context.trx, context.situation.id)
  if (out.length > 0) throw new BusinessError(codes.situationUnitsOut, { units: out.join('、') })
  const report = await all(context)
    .selectFrom('policeSituationLog')
    .select('id')
    .where('situationId', '=', context.situation.id)
    .where('verb', '=', 'feedback')
    .executeTakeFirst()
  if (!report) throw new BusinessError(codes.situationNoFeedback)
}

/** The alarms of the incident and of those merged into it end with it. */
const resolveAlarms = async (context: SituationContext, note: string): Promise<void> => {
  const { trx, situation, caller } = context
  const rows = await all(context)
    .selectFrom('policeSituation')
    .select('warnRecordId')
    .where((eb) => eb.or([eb('id', '=', situation.id), eb('mergedIntoId', '=', situation.id)]))
    .where('warnRecordId', 'is not', null)
    .orderBy('warnRecordId')
    .execute()
  for (const { warnRecordId } of rows)
    if (warnRecordId !== null)
      await resolveByPolice(trx, caller.actor, { recordId: warnRecordId, note, situationNo: situation.no })
}

export const closeSituation: Run<'close'> = (db, caller, body) =>
  executeSituation(db, caller, ['close', body], {
    decide: async (context) => {
      const { category, disposition, result } = body
      await assertClosable(context)
      const dict = { draft: CloseBody, types: { category: CATEGORY_DICT } }
      await checkDictValues(context.trx, dict, body, { category: context.situation.category })
      await endUnits(context)
      return { set: { category, disposition, result }, reached: ['closedAt'], text: result }
    },
    after: (context) => resolveAlarms(context, body.result),
  })

/** The school desk rings again and shows the reason. */
export const returnToSchool: Run<'reject'> = (db, caller, body) =>
  executeSituation(db, caller, ['reject', body], {
    decide: async (context) => {
      await assertNothingMerged(context)
      await endUnits(context)
      const { warnRecordId } = context.situation
      if (warnRecordId !== null)
        await returnByPolice(context.trx, caller.actor, { recordId: warnRecordId, reason: body.reason })
      return { set: { reason: body.reason }, text: body.reason }
    },
  })

export const cancelSituation: Run<'cancel'> = (db, caller, body) =>
  executeSituation(db, caller, ['cancel', body], {
    decide: async (context) => {
      await assertNothingMerged(context)
      await endUnits(context)
      return { set: { reason: body.reason }, text: body.reason }
    },
  })

const DAY_MS = 86_400_000

export const reopenSituation: Run<'reopen'> = (db, caller, body) =>
  executeSituation(db, caller, ['reopen', body], {
    decide: async (context) => {
      const { situation, now } = context
      const last = await all(context)
        .selectFrom('policeSituationLog')
        .select('at')
        .where('situationId', '=', situation.id)
        .where('verb', '=', 'close')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      const closed = last?.at ?? situation.closedAt ?? now
      if (now.getTime() - closed.getTime() > REOPEN_SITUATION_DAYS * DAY_MS)
        throw new BusinessError(codes.situationReopenLate, { days: REOPEN_SITUATION_DAYS })
      return { set: { disposition: null, result: null }, text: body.reason }
    },
  })
