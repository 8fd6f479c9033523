import { codes } from '@tocsin/contract/codes'
import { deliveryChannels, groupChannels, type DeliveryChannel } from '@tocsin/contract/notify/delivery'
import {
  type NotifyPolicy,
  NotifyPolicyDraft,
  notifyPolicies,
  type NotifyPolicyQuery,
  type PolicyChoices,
} from '@tocsin/contract/notify/policy'
import type { z } from 'zod'
import { writeAudit } from '#areas/audit/audit'
import {
  changedColumns,
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { loadConfiguredChannels } from '#areas/notify/channel/configured'
import { planDeliveries } from '#areas/notify/plan'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { sql } from 'kysely'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { toPolicyColumns } from './policy-columns.ts'

const WHAT = '通知策略'

registerConstraintErrors({
  notify_policy_name_key: { code: codes.duplicate, params: { field: '策略名称' } },
  notify_policy_target_key: { code: codes.policyTarget },
})

/** Two steps at one moment would have no order; users named in a step must exist. */
const checkPolicy = async (trx: Db, { steps, fallback }: NotifyPolicyDraft): Promise<void> => {
  if (new Set(steps.map(({ afterSec }) => afterSec)).size < steps.length)
    throw fieldError(NotifyPolicyDraft, 'steps', 'format')
  const targets = [...steps, fallback].flatMap((step) => step.targets)
  const userIds = [...new Set(targets.flatMap((target) => (target.kind === 'USER' ? target.userId : [])))]
  if (userIds.length === 0) return
  const found = await unscoped(trx, 'a policy may name any account')
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .execute()
  if (found.length < userIds.length) throw fieldError(NotifyPolicyDraft, 'steps', 'choice')
}

/** Whoever does not see every department makes policies of the departments that he sees. */
const assertInSight = ({ depts }: Actor, deptId: number | null): void => {
  if (depts !== 'all' && (deptId === null || !depts.includes(deptId)))
    throw fieldError(NotifyPolicyDraft, 'deptId', 'choice')
}

type Change = { action: string; id: number; before?: NotifyPolicy; after?: NotifyPolicy }

const recordChange = async (trx: Db, caller: Caller, { action, id, before, after }: Change): Promise<void> => {
  await writeAudit(trx, {
    ...caller,
    action,
    subject: 'notify_policy',
    subjectId: id,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })
  await emitEvents(trx, { type: 'policy.changed', ref: id })
}

const lockPolicy = async (trx: Db, id: number): Promise<NotifyPolicy> => {
  const policy = await trx.selectFrom('notifyPolicy').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!policy) throw new BusinessError(codes.notFound, { what: WHAT })
  return policy
}

const createPolicy = (db: Db, draft: NotifyPolicyDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await checkPolicy(trx, draft)
    assertInSight(caller.actor, draft.deptId ?? null)
    const after = await trx
      .insertInto('notifyPolicy')
      .values({ ...draft, ...toPolicyColumns(draft), ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { action: notifyPolicies.create.permission, id: after.id, after })
    return after.id
  })

const updatePolicy = (db: Db, edit: z.output<typeof notifyPolicies.update.body>, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPolicy(trx, edit.id)
    assertInSight(caller.actor, before.deptId)
    await checkVersion(edit.version, before, () => toAuditState(before))
    const changes = changedColumns(edit)
    const draft = { ...before, ...changes }
    await checkPolicy(trx, draft)
    assertInSight(caller.actor, draft.deptId)
    const after = await trx
      .updateTable('notifyPolicy')
      .set({ ...changes, ...toPolicyColumns(draft), ...updateStamp(caller) })
      .where('id', '=', edit.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { action: notifyPolicies.update.permission, id: edit.id, before, after })
    return true
  })

const deletePolicy = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPolicy(trx, id)
    assertInSight(caller.actor, before.deptId)
    await trx.deleteFrom('notifyPolicy').where('id', '=', id).execute()
    await recordChange(trx, caller, { action: notifyPolicies.delete.permission, id, before })
    return true
  })

const MAX_CHOICES = 500

const loadChoices = async (db: Db, actor: Actor): Promise<PolicyChoices> => {
  const configured = await loadConfiguredChannels(db)
  const roles = await db
    .selectFrom('role')
    .select(['code', 'name'])
    .where('enabled', '=', true)
    .orderBy('sort')
    .execute()
  const users = await scoped(db, actor)
    .selectFrom('users')
    .select(['id', 'nickname as name'])
    .where('enabled', '=', true)
    .orderBy('nickname')
    .limit(MAX_CHOICES)
    .execute()
  const channels = deliveryChannels.map((channel) => ({ channel, configured: configured.has(channel) }))
  return { roles, users, channels }
}

/** One message to the caller, or to the group of the channel. */
const sendTest = (db: Db, channel: DeliveryChannel, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { userId, deptId } = caller.actor
    if (!(await loadConfiguredChannels(trx)).has(channel)) throw new BusinessError(codes.channelNotConfigured)
    const isGroup = groupChannels.some((group) => group === channel)
    const count = await planDeliveries(trx, {
      subject: { type: 'TEST', id: userId },
      schoolId: null,
      deptId,
      level: 2,
      title: '测试消息',
      body: `${caller.actor.nickname} 在「通知策略」测试该渠道，请勿回复`,
      userIds: isGroup ? [] : [userId],
      channels: [channel],
    })
    if (count === 0) throw new BusinessError(codes.deliveryNobody)
    await writeAudit(trx, { ...caller, action: 'notify:policy:test', subject: 'delivery', after: { channel } })
    return count
  })

/** Policies for everywhere, and those of departments in sight. */
const visiblePolicies = (db: Db, { depts }: Actor) =>
  db
    .selectFrom('notifyPolicy')
    .$if(depts !== 'all', (q) =>
      q.where((eb) =>
        eb.or([eb('deptId', 'is', null), eb('deptId', '=', sql<number>`any(${depts === 'all' ? [] : [...depts]})`)]),
      ),
    )

const filterPolicies = (db: Db, actor: Actor, { keyword, class: classes, enabled }: NotifyPolicyQuery) =>
  visiblePolicies(db, actor)
    .$if(!!keyword, (q) => q.where('name', 'ilike', likePattern(keyword ?? '')))
    .$if(!!classes?.length, (q) => q.where('class', 'in', classes ?? []))
    .$if(enabled !== undefined, (q) => q.where('enabled', '=', enabled ?? true))

const order: ListOrder<NotifyPolicyQuery> = {
  columns: {
    name: { by: sql`name` },
    level: { by: sql`level` },
    enabled: { by: sql`enabled` },
    createTime: { by: sql`create_time` },
  },
  usual: sql`level, id`,
  id: sql`id`,
}

export const policyRoutes = ({ db }: { db: Db }): Route[] => [
  route(notifyPolicies.page, async ({ query, actor }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = filterPolicies(db, actor, query)
    const list = await found.selectAll().orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute()
    return { list, ...(await countCapped(db, found.select('id'))) }
  }),
  route(notifyPolicies.get, async ({ query, actor }) => {
    const policy = await visiblePolicies(db, actor).selectAll().where('id', '=', query.id).executeTakeFirst()
    if (!policy) throw new BusinessError(codes.notFound, { what: WHAT })
    return policy
  }),
  route(notifyPolicies.choices, ({ caller }) => loadChoices(db, caller.actor)),
  route(notifyPolicies.create, ({ body, caller }) => createPolicy(db, body, caller)),
  route(notifyPolicies.update, ({ body, caller }) => updatePolicy(db, body, caller)),
  route(notifyPolicies.delete, ({ query, caller }) => deletePolicy(db, query.id, caller)),
  route(notifyPolicies.test, ({ body, caller }) => sendTest(db, body.channel, caller)),
]
