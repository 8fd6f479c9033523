import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

// Messages in the demo: one that was read, one that a provider took, one that failed, and one without an address.

type Sample = Pick<Row<'delivery'>, 'channel' | 'state'> &
  Partial<Pick<Row<'delivery'>, 'address' | 'reason' | 'providerAnswer' | 'attempts'>> & { username: string }

const samples: readonly Sample[] = [
  { username: 'guard1', channel: 'INAPP', state: 'READ' },
  { username: 'guard1', channel: 'SMS', state: 'SUPPRESSED', reason: 'NOT_CONFIGURED' },
  { username: 'safety1', channel: 'INAPP', state: 'DELIVERED' },
  {
    username: 'safety1',
    channel: 'EMAIL',
    state: 'FAILED',
    attempts: 4,
    providerAnswer: 'the mail server answered 550',
  },
  { username: 'school1', channel: 'VOICE', state: 'SUPPRESSED', reason: 'NO_ADDRESS' },
]

const at = (seconds: number) =>
  sql<Date>`date_trunc('day', now()) - interval '1 day' + interval '9 hours' + make_interval(secs => ${seconds})`

/** Test messages of yesterday to people of the first school. */
export const buildDeliveries = async (trx: Db): Promise<void> => {
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  for (const [index, { username, ...sample }] of samples.entries()) {
    const user = await all
      .selectFrom('users')
      .select(['id', 'nickname', 'deptId'])
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    const isReceived = sample.state === 'READ' || sample.state === 'DELIVERED'
    await all
      .insertInto('delivery')
      .values({
        ...sample,
        subjectType: 'TEST',
        subjectId: user.id,
        planKey: 'demo',
        deptId: user.deptId,
        userId: user.id,
        recipientName: user.nickname,
        level: 2,
        title: '测试消息',
        body: '请确认能收到警情通知',
        createdAt: at(index),
        dueAt: at(index),
        expiresAt: at(index + 600),
        ...(isReceived && { sentAt: at(index), deliveredAt: at(index + 3) }),
        ...(sample.state === 'READ' && { readAt: at(index + 9) }),
        endedAt: at(index + 30),
      })
      .execute()
  }
}

/** One policy of its own beside the defaults: bullying reaches the counsellor first. */
export const buildPolicies = async (trx: Db): Promise<void> => {
  const toRoles = (...codes: string[]) => codes.map((roleCode) => ({ kind: 'ROLE', roleCode }))
  const policies = [
    { name: '欺凌一级策略', class: 'BULLY', level: 1, first: ['safety_officer', 'guard'], later: ['school_admin'] },
    { name: '设备异常二级策略', class: 'DEVICE_HEALTH', level: 2, first: ['maintainer'], later: ['safety_officer'] },
  ] as const
  for (const { first, later, ...policy } of policies) {
    const steps = [
      { afterSec: 0, targets: toRoles(...first), channels: ['INAPP', 'SMS'] },
      { afterSec: 120, targets: toRoles(...later), channels: ['INAPP', 'SMS'] },
    ]
    const fallback = { targets: toRoles('shift_lead'), channels: ['INAPP'] }
    await trx
      .insertInto('notifyPolicy')
      .values({
        ...policy,
        loops: 1,
        steps: sql<Row<'notifyPolicy'>['steps']>`${JSON.stringify(steps)}::jsonb`,
        fallback: sql<Row<'notifyPolicy'>['fallback']>`${JSON.stringify(fallback)}::jsonb`,
      })
      .execute()
  }
}
