import { autoClosableClasses } from '@tocsin/contract/alarm/state-machine'
import { type RuleQuery, WarnRule, WarnRuleDraft, warnRules } from '@tocsin/contract/alarm/rule'
import { codes } from '@tocsin/contract/codes'
import { type FieldError, issueText, type Rule } from '@tocsin/contract/issue'
import { labelOf } from '@tocsin/contract/field'
import { sql } from 'kysely'
import { z } from 'zod'
import { writeAudit } from '#areas/audit/audit'
import { registerConstraintErrors } from '#db/constraint-error'
import { retryTransaction } from '#db/retry'
import type { Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { type ListOrder, toOrderBy } from '#db/sort'
import { ValidationError, BusinessError } from '#http/business-error'
import { type Actor, type RequestInfo, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { createExportFile } from '#spreadsheet/xlsx'
import { cancellableCodes, panicCodes } from './intake/normalize-signal.ts'
import { hasPlaceInKey, invalidateRuleCache } from './intake/evaluate-rules.ts'
import { localizedColumns } from './export-columns.ts'
import { isTimerOfRule } from './timer/condition-timers.ts'

const WHAT = '接警规则'

registerConstraintErrors({
  warn_rule_name_key: { code: codes.duplicate, params: { field: '规则名称' } },
  warn_record_rule_id_fkey: { code: codes.referred, params: { what: WHAT } },
})

type Who = { actor: Actor; origin: RequestInfo }

const refused = (field: keyof WarnRuleDraft, rule: Rule, bound?: string): FieldError => {
  const label = labelOf(WarnRuleDraft.shape[field])
  const error = { field, rule, ...(bound !== undefined && { bound }), ...(label && { label }) }
  return { ...error, message: issueText(error, 'zh-cn') }
}

/** Recovery codes that are also match codes. Only a NO_DATA rule recovers by its own codes. */
const both = ({ enabled, condition, matchCodes, recoverCodes }: WarnRuleDraft): string[] =>
  enabled && condition !== 'NO_DATA' ? recoverCodes.filter((code) => matchCodes.includes(code)) : []

/** A panic stays a panic of level 1 or 2: as any other class it could be shelved, collapsed or ended by a device. */
const hiddenPanic = ({ matchCodes, class: given, level }: WarnRuleDraft): FieldError[] => {
  if (!matchCodes.some((code) => panicCodes.includes(code))) return []
  return [
    ...(given === 'PANIC' ? [] : [refused('class', 'choice')]),
    ...(level <= 2 ? [] : [refused('level', 'tooBig', '2')]),
  ]
}

/** Constraints over several fields. The CHECKs of the table repeat most of them, but do not name the field. */
const check = (rule: WarnRuleDraft): void => {
  const waits = rule.condition !== 'INSTANT'
  const errors = [
    ...(rule.condition === 'REPEAT' && rule.repeatCount === null ? [refused('repeatCount', 'required')] : []),
    ...(waits && rule.withinSec === null ? [refused('withinSec', 'required')] : []),
    ...hiddenPanic(rule),
    ...(both(rule).length > 0 ? [refused('recoverCodes', 'matched', both(rule).join(', '))] : []),
  ]
  const calls = rule.matchCodes.some((code) => cancellableCodes.includes(code))
  if (rule.autoRecover && (calls || !autoClosableClasses.some((name) => name === rule.class)))
    throw new BusinessError(codes.ruleUsesRecover)
  if (errors.length > 0) throw new ValidationError(errors)
}

const encoded = (rule: WarnRule): Record<string, unknown> => ({
  ...rule,
  createTime: rule.createTime.getTime(),
  updateTime: rule.updateTime.getTime(),
})

const lockRule = async (trx: Db, id: number): Promise<WarnRule> => {
  const rule = await trx.selectFrom('warnRule').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!rule) throw new BusinessError(codes.notFound, { what: WHAT })
  return rule
}

/** Cancels the timers of a disabled rule (domain 5, repeated notices after a rule was disabled). */
const endWaiting = (trx: Db, id: number) =>
  trx
    .updateTable('timer')
    .set((eb) => ({ doneAt: eb.fn<Date>('now', []), outcome: 'CANCELLED', fence: eb('fence', '+', 1) }))
    .where(isTimerOfRule(id))
    .where('doneAt', 'is', null)
    .execute()

/**
 * Whether records of a rule have a place in their key depends on `autoRecover` (decision 063). Those that may take a further
 * signal or a recovery get the key of the changed rule; where another record has it already, people end the rest.
 */
const rewriteRecordKeys = async (trx: Db, before: WarnRule, after: WarnRule): Promise<void> => {
  const isPlaced = hasPlaceInKey({ schoolId: null }, after)
  if (isPlaced === hasPlaceInKey({ schoolId: null }, before)) return
  const pattern = isPlaced ? '\\|([A-Z_]+\\|[0-9]+)$' : '@[0-9]*/[0-9]*\\|([A-Z_]+\\|[0-9]+)$'
  const place = isPlaced ? sql`'@' || coalesce(school_id::text, '') || '/' || coalesce(place_id::text, '') ||` : sql``
  await sql`
    with changed as (
      select id, mode, regexp_replace(dedup_key, ${pattern}::text, ${place} '|\\1') as key,
        row_number() over (partition by regexp_replace(dedup_key, ${pattern}::text, ${place} '|\\1'), mode order by id desc) as n
      from warn_record where rule_id = ${after.id} and open and dedup_key ~ '^(device|zone):'
    )
    update warn_record as record set dedup_key = changed.key from changed
    where record.id = changed.id and changed.n = 1 and changed.key <> record.dedup_key and not exists (
      select from warn_record as other where other.dedup_key = changed.key and other.mode = changed.mode and other.open)
  `.execute(unscoped(trx, 'records of a rule, which belongs to no school'))
}

type Change = { action: string; id: number; before: WarnRule | null; after: WarnRule | null }

const recorded = async (trx: Db, { actor, origin }: Who, { action, id, before, after }: Change): Promise<void> => {
  await writeAudit(trx, {
    actor,
    origin,
    action: `warn:rule:${action}`,
    subject: 'warn_rule',
    subjectId: id,
    before: before && encoded(before),
    after: after && encoded(after),
  })
  // Rules belong to no school, so everybody who shows them reads them again.
  await emitEvents(trx, { type: 'rule.changed', ref: id })
}

const committed = async <const T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> => {
  const result = await retryTransaction(() => db.transaction().execute(work))
  invalidateRuleCache()
  wakeSequencer()
  return result
}

const create = async (db: Db, draft: WarnRuleDraft, item: Who): Promise<number> => {
  check(draft)
  return committed(db, async (trx) => {
    const by = { creator: item.actor.userId, updater: item.actor.userId }
    const after = await trx
      .insertInto('warnRule')
      .values({ ...draft, ...by })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recorded(trx, item, { action: 'create', id: after.id, before: null, after })
    return after.id
  })
}

type Edit = z.output<typeof warnRules.update.body>

const given = (edit: Edit): Partial<WarnRuleDraft> => {
  const { id: _id, version: _version, ...fields } = edit
  // An absent field is unchanged: decoding leaves keys without a value where nothing was sent.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const update = (db: Db, edit: Edit, item: Who): Promise<true> =>
  committed(db, async (trx) => {
    const before = await lockRule(trx, edit.id)
    if (before.version !== edit.version) throw new BusinessError(codes.stale, {}, { current: encoded(before) })
    check({ ...before, ...given(edit) })
    const after = await trx
      .updateTable('warnRule')
      .set((eb) => ({
        ...given(edit),
        version: before.version + 1,
        updateTime: eb.fn<Date>('now', []),
        updater: item.actor.userId,
      }))
      .where('id', '=', edit.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (!after.enabled || after.shadow || after.condition !== before.condition) await endWaiting(trx, edit.id)
    await rewriteRecordKeys(trx, before, after)
    await recorded(trx, item, { action: 'update', id: edit.id, before, after })
    return true as const
  })

const remove = (db: Db, id: number, item: Who): Promise<true> =>
  committed(db, async (trx) => {
    const before = await lockRule(trx, id)
    await trx.deleteFrom('warnRule').where('id', '=', id).execute()
    await endWaiting(trx, id)
    await recorded(trx, item, { action: 'delete', id, before, after: null })
    return true as const
  })

const filtered = (db: Db, { keyword, class: classes, enabled }: RuleQuery) =>
  db
    .selectFrom('warnRule')
    .$if(!!keyword, (q) =>
      q.where((on) => on.or((['name', 'nameEn'] as const).map((of) => on(of, 'ilike', likePattern(keyword ?? ''))))),
    )
    .$if(!!classes?.length, (q) => q.where('class', 'in', classes ?? []))
    .$if(enabled !== undefined, (q) => q.where('enabled', '=', enabled ?? true))

const order: ListOrder<RuleQuery> = {
  columns: {
    name: { by: sql`name` },
    priority: { by: sql`priority` },
    level: { by: sql`level` },
    enabled: { by: sql`enabled` },
    createTime: { by: sql`create_time` },
  },
  usual: sql`priority, id`,
  id: sql`id`,
}

/** A sheet has no ids: where a rule applies is read on its form. */
type Exported = Exclude<keyof WarnRuleDraft, 'deptIds' | 'schoolIds' | 'modelIds'>
const isExported = (name: string): name is Exported => !['deptIds', 'schoolIds', 'modelIds'].includes(name)
const fields = Object.keys(WarnRuleDraft.shape).filter(isExported)
const words = {
  class: 'warnClass',
  level: 'level',
  matchCodes: 'alarmCode',
  recoverCodes: 'alarmCode',
  condition: 'ruleCondition',
  dedupBy: 'dedup',
  schedule: 'ruleSchedule',
} as const

async function* inOrder(db: Db, query: RuleQuery) {
  yield await filtered(db, query).selectAll().orderBy(toOrderBy(query.orderBy, order)).execute()
}

export const ruleRoutes = ({ db }: { db: Db }): Route[] => [
  route(warnRules.page, async ({ query }) => {
    const { limit, offset } = toOffsetLimit(query)
    const from = filtered(db, query)
    const list = await from.selectAll().orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute()
    return { list, ...(await countCapped(db, from.select('id'))) }
  }),
  route(warnRules.get, async ({ query }) => {
    const rule = await db.selectFrom('warnRule').selectAll().where('id', '=', query.id).executeTakeFirst()
    if (!rule) throw new BusinessError(codes.notFound, { what: WHAT })
    return rule
  }),
  route(warnRules.export, async ({ query, caller }) => {
    const { lang = 'zh-cn', format = 'csv' } = query
    const name = lang === 'en' ? 'Alarm rules' : WHAT
    const columns = localizedColumns(WarnRuleDraft.shape, fields, { words, lang })
    const file = await createExportFile({ name, format }, columns, inOrder(db, query))
    await writeAudit(db, { ...caller, action: warnRules.export.permission, subject: 'warn_rule' })
    return file
  }),
  route(warnRules.create, ({ body, caller }) => create(db, body, caller)),
  route(warnRules.update, ({ body, caller }) => update(db, body, caller)),
  route(warnRules.delete, ({ query, caller }) => remove(db, query.id, caller)),
]
