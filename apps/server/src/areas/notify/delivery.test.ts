import type { DeliveryChannel } from '@tocsin/contract/notify/delivery'
import { deliveryMachine, type DeliveryState } from '@tocsin/contract/notify/delivery-machine'
import type { ReachChannel } from '@tocsin/contract/school/employee'
import { wallClock } from '@tocsin/contract/time-zone'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSignInFixture, type SignInFixture } from '../../../test/sign-in-fixture.ts'
import type { Actor } from '#http/route'
import { cancelDeliveries, type DeliveryPlan, planDeliveries } from './plan.ts'
import { listUnread, recordReceipt } from './receipt.ts'
import { deliverDueNotifications, startNotifySender } from './sender.ts'
import { sampleSize } from '../../../test/sample-size.ts'

let world: SignInFixture
let guard: { id: number }
let teacher: { id: number }
beforeAll(async () => {
  world = await openSignInFixture()
  guard = await world.person('guard1', { mobile: '13811112222', email: 'guard@school.test' })
  teacher = await world.person('teacher1', {})
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.openChannels()
  await world.set('voice.provider', 'console')
  await world.all.deleteFrom('delivery').execute()
  world.lines.length = 0
})

const deps = () => ({ db: world.db, settingKey: world.deps.keys.setting, log: world.log })
const actor = ({ id }: { id: number }) =>
  ({ userId: id, depts: [], schools: [], permissions: new Set<string>() }) as unknown as Actor
const subject = { type: 'RECORD', id: 41 } as const
const common = { subject, schoolId: null, deptId: null, level: 1, title: '一级 紧急报警', body: '304 教室' }
const plan = (more: Partial<DeliveryPlan> = {}) =>
  world.db.transaction().execute((trx) =>
    planDeliveries(trx, {
      ...common,
      userIds: [guard.id],
      channels: ['INAPP', 'SMS', 'VOICE'],
      key: 'k',
      ...more,
    }),
  )
const cancel = (repliedBy?: number) =>
  world.db
    .transaction()
    .execute((trx) => cancelDeliveries(trx, subject, 'CLAIMED', repliedBy === undefined ? {} : { repliedBy }))
const rows = () => world.all.selectFrom('delivery').selectAll().orderBy('id').execute()
const states = async () => (await rows()).map(({ channel, state }) => `${channel} ${state}`)
const makeDue = () =>
  sql`update delivery set due_at = now(), lease_until = null where ended_at is null`.execute(world.db)

describe('planDeliveries', () => {
  it('starts with the first channel and plans each further one 10 s later', async () => {
    expect(await plan()).toBe(3)
    expect(await states()).toEqual(['INAPP SENT', 'SMS PLANNED', 'VOICE PLANNED'])
    const found = await rows()
    const after = found.map(({ dueAt, createdAt }) => Math.round((dueAt.getTime() - createdAt.getTime()) / 1000))
    expect(after).toEqual([0, 10, 20])
    expect(found.map(({ address }) => address)).toEqual([null, '138****2222', '138****2222'])
    expect(await listUnread(world.db, actor(guard))).toMatchObject([{ title: '一级 紧急报警' }])
  })

  it('stores why a channel or a person cannot be used', async () => {
    await world.set('sms.provider', '')
    expect(await plan({ userIds: [teacher.id], channels: ['SMS', 'VOICE', 'EMAIL', 'DINGTALK'] })).toBe(0)
    expect((await rows()).map(({ reason }) => reason)).toEqual([
      'NOT_CONFIGURED',
      'NO_ADDRESS',
      'NO_ADDRESS',
      'NOT_CONFIGURED',
    ])
    await world.all.deleteFrom('delivery').execute()
    expect(await plan({ userIds: [] })).toBe(0)
    expect(await rows()).toMatchObject([{ state: 'SUPPRESSED', reason: 'NO_RECIPIENT' }])
  })

  it('tells people who wait for those on duty 10 s later, or at once when nobody on duty can be told', async () => {
    const [userIds, key] = [[guard.id, teacher.id], 'duty']
    expect(await plan({ userIds, key, channels: ['INAPP'], onDuty: [guard.id], waiting: [teacher.id] })).toBe(2)
    const told = await rows()
    expect(told).toMatchObject([
      { userId: guard.id, state: 'SENT' },
      { userId: teacher.id, state: 'PLANNED' },
    ])
    const waits = told.map(({ dueAt, createdAt }) => Math.round((dueAt.getTime() - createdAt.getTime()) / 1000))
    expect(waits).toEqual([0, 10])
    await makeDue()
    await deliverDueNotifications(deps())
    expect((await rows()).map(({ state }) => state)).toEqual(['SENT', 'SENT'])
    await world.all.deleteFrom('delivery').execute()
    // The teacher on duty has no mobile.
    await plan({ userIds, key, channels: ['SMS'], onDuty: [teacher.id], waiting: [guard.id] })
    expect(await rows()).toMatchObject([
      { userId: teacher.id, state: 'SUPPRESSED', reason: 'NO_ADDRESS' },
      { userId: guard.id, state: 'QUEUED' },
    ])
  })

  describe('for a person with registered channels', () => {
    /** `HH:MM` of the wall clock, so many hours from now. */
    const clock = (hours: number) =>
      wallClock(new Date(Date.now() + hours * 3_600_000))
        .toISOString()
        .slice(11, 16)
    const always = { quietFrom: null, quietTo: null }
    const quietNow = { quietFrom: clock(-2), quietTo: clock(2) }
    const register = async (channels: readonly ReachChannel[]) => {
      await world.all.deleteFrom('employee').where('userId', '=', guard.id).execute()
      const { deptId } = await world.all
        .selectFrom('users')
        .select('deptId')
        .where('id', '=', guard.id)
        .executeTakeFirstOrThrow()
      const json = sql<ReachChannel[]>`${JSON.stringify(channels)}::jsonb`
      await world.all
        .insertInto('employee')
        .values({ deptId, employeeNo: 'N-1', name: '保安', kind: 'GUARD', userId: guard.id, channels: json })
        .execute()
    }
    const planned = async (more: Partial<DeliveryPlan>) => {
      await world.all.deleteFrom('delivery').execute()
      const count = await plan(more)
      return { count, rows: (await rows()).map((row) => `${row.channel} ${row.reason ?? row.state}`) }
    }
    afterAll(() => world.all.deleteFrom('employee').execute())

    it('skips a quiet channel in favour of the next one, except on level 1', async () => {
      await register([
        { channel: 'SMS', ...quietNow },
        { channel: 'VOICE', ...always },
      ])
      expect(await planned({ level: 2 })).toEqual({
        count: 2,
        rows: ['INAPP SENT', 'SMS QUIET_HOURS', 'VOICE PLANNED'],
      })
      const [, , voice] = await rows()
      expect(Math.round(((voice?.dueAt.getTime() ?? 0) - (voice?.createdAt.getTime() ?? 0)) / 1000)).toBe(10)
      expect((await planned({ level: 1 })).rows).toEqual(['INAPP SENT', 'SMS PLANNED', 'VOICE PLANNED'])
      await register([{ channel: 'SMS', quietFrom: clock(2), quietTo: clock(-2) }])
      expect((await planned({ level: 2, channels: ['SMS'] })).rows).toEqual(['SMS QUEUED'])
    })

    it('follows the order of the person, and uses others on level 1 only', async () => {
      await register([
        { channel: 'VOICE', ...always },
        { channel: 'INAPP', ...always },
      ])
      expect((await planned({ level: 3 })).rows).toEqual(['VOICE QUEUED', 'INAPP PLANNED', 'SMS NOT_CHOSEN'])
      expect((await planned({ level: 1 })).rows).toEqual(['VOICE QUEUED', 'INAPP PLANNED', 'SMS PLANNED'])
    })

    it('shows the message in the console when every channel is quiet', async () => {
      await register([{ channel: 'SMS', ...quietNow }])
      const night = await planned({ level: 2, channels: ['SMS'] })
      expect(night).toEqual({ count: 1, rows: ['SMS QUIET_HOURS', 'INAPP SENT'] })
      const mail = await planned({ level: 4, channels: ['EMAIL'], subject: { type: 'REPORT', id: 1 } })
      expect(mail.rows).toEqual(['EMAIL QUEUED'])
    })
  })

  it('leaves nothing when its transaction is rolled back', async () => {
    const failing = world.db.transaction().execute(async (trx) => {
      await planDeliveries(trx, {
        ...common,
        userIds: [guard.id],
        channels: ['INAPP'],
      })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await rows()).toEqual([])
  })
})

describe('the sender', () => {
  it('sends the next channels while no receipt comes, and none after a receipt', async () => {
    await plan()
    await makeDue()
    await deliverDueNotifications(deps())
    expect(await states()).toEqual(['INAPP SENT', 'SMS SENT', 'VOICE SENT'])
    expect(world.lines.filter((line) => line.includes('13811112222'))).toHaveLength(2)
    await plan({ key: 'k2' })
    const [shown] = await listUnread(world.db, actor(guard))
    await recordReceipt(world.db, actor(guard), [shown?.id ?? 0], 'deliver')
    expect((await states()).slice(3)).toEqual(['INAPP DELIVERED', 'SMS CANCELLED', 'VOICE CANCELLED'])
  })

  it('ignores a receipt of another user', async () => {
    await plan()
    const [row] = await rows()
    await recordReceipt(world.db, actor(teacher), [row?.id ?? 0], 'read')
    expect((await states())[0]).toBe('INAPP SENT')
  })

  it('retries a temporary failure, starts the next channel after a permanent one', async () => {
    await world.set('mail.smtp-url', 'smtp://127.0.0.1:9')
    await plan({ channels: ['EMAIL', 'VOICE'] })
    await deliverDueNotifications(deps())
    expect(await states()).toEqual(['EMAIL QUEUED', 'VOICE PLANNED'])
    world.mailbox.state.refuse = 550
    await world.set('mail.smtp-url', world.mailbox.url)
    await sql`update delivery set due_at = now() where channel = 'EMAIL'`.execute(world.db)
    await deliverDueNotifications(deps())
    world.mailbox.state.refuse = undefined
    expect(await states()).toEqual(['EMAIL FAILED', 'VOICE PLANNED'])
    await deliverDueNotifications(deps())
    expect(await states()).toEqual(['EMAIL FAILED', 'VOICE SENT'])
    expect((await rows())[0]?.providerAnswer).not.toContain('guard@school.test')
  })

  it('expires a message that is too old', async () => {
    await plan({ channels: ['SMS'] })
    await sql`update delivery set expires_at = now() - interval '1 second'`.execute(world.db)
    await deliverDueNotifications(deps())
    expect(await states()).toEqual(['SMS EXPIRED'])
    expect(world.lines).toEqual([])
  })

  it('sends once when two nodes run, and leaves a row that another node claimed', async () => {
    await plan({ channels: ['SMS'] })
    await sql`update delivery set state = 'SENDING', attempts = 1, lease_until = now() + interval '1 minute'`.execute(
      world.db,
    )
    expect(await deliverDueNotifications(deps())).toBe(0)
    await sql`update delivery set lease_until = now() - interval '1 second'`.execute(world.db)
    const nodes = [1, 2].map(() => startNotifySender(deps()))
    await expect.poll(states).toEqual(['SMS SENT'])
    await Promise.all(nodes.map(({ stop }) => stop()))
    expect(world.lines.filter((line) => line.includes('13811112222'))).toHaveLength(1)
  })

  it('sends a group at most 20 messages a minute', async () => {
    await world.set('notify.wecom-url', 'http://127.0.0.1:9/')
    for (let n = 0; n < 21; n += 1) await plan({ userIds: [], channels: ['WECOM_ROBOT'], key: `g${n}` })
    await sql`update delivery set state = 'SENT', sent_at = now() where id in (
      select id from delivery order by id limit 20)`.execute(world.db)
    expect(await deliverDueNotifications(deps())).toBe(0)
    await sql`update delivery set sent_at = now() - interval '2 minutes' where sent_at is not null`.execute(world.db)
    expect(await deliverDueNotifications(deps())).toBe(1)
    await world.set('notify.wecom-url', '')
  })
})

describe('cancelDeliveries', () => {
  it('cancels unsent messages and marks the messages of the acting user', async () => {
    await plan({ userIds: [guard.id, teacher.id], channels: ['INAPP', 'SMS'] })
    await cancel(guard.id)
    expect(await states()).toEqual(['INAPP REPLIED', 'SMS CANCELLED', 'INAPP SENT', 'SMS SUPPRESSED'])
    expect((await rows())[1]?.reason).toBe('CLAIMED')
    expect(await listUnread(world.db, actor(teacher))).toEqual([])
  })

  it('never sends a message after the claim when both race', async () => {
    for (let round = 0; round < 5; round += 1) {
      await plan({ channels: ['SMS'], key: `race${round}` })
      await Promise.all([deliverDueNotifications(deps()), cancel()])
      await deliverDueNotifications(deps())
    }
    const found = await rows()
    expect(found.every(({ state }) => state === 'SENT' || state === 'CANCELLED')).toBe(true)
    expect(world.lines.filter((line) => line.includes('13811112222'))).toHaveLength(
      found.filter(({ state }) => state === 'SENT').length,
    )
  })
})

/** The steps of the machine that one observed change may combine within one transaction. */
const reachable = (from: DeliveryState): Set<DeliveryState> => {
  const found = new Set<DeliveryState>([from])
  for (const state of found)
    for (const { from: sources, to } of Object.values(deliveryMachine))
      if (to !== 'same' && (sources as readonly DeliveryState[]).includes(state)) found.add(to)
  return found
}

type Act = 'send' | 'due' | 'claim' | 'delivered' | 'read' | 'expire'
const acts: Record<Act, () => Promise<unknown>> = {
  send: () => deliverDueNotifications(deps()),
  due: makeDue,
  claim: () => cancel(guard.id),
  delivered: async () =>
    recordReceipt(
      world.db,
      actor(guard),
      (await rows()).map(({ id }) => id),
      'deliver',
    ),
  read: async () =>
    recordReceipt(
      world.db,
      actor(guard),
      (await rows()).map(({ id }) => id),
      'read',
    ),
  expire: () => sql`update delivery set expires_at = now() - interval '1 second' where id % 2 = 0`.execute(world.db),
}

describe('FSM H', () => {
  it('stays within its table when senders, receipts and claims act in any order', async () => {
    const channels = fc.uniqueArray(fc.constantFrom<DeliveryChannel>('INAPP', 'SMS', 'VOICE'), { minLength: 1 })
    const order = fc.array(fc.constantFrom<Act>('send', 'due', 'claim', 'delivered', 'read', 'expire'), {
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(channels, order, async (chosen, todo) => {
        await world.all.deleteFrom('delivery').execute()
        await plan({ channels: chosen })
        for (const act of todo) {
          const before = await rows()
          await acts[act]()
          const after = await rows()
          for (const [index, row] of after.entries())
            expect([...reachable(before[index]?.state ?? 'PLANNED')]).toContain(row.state)
        }
        if (todo.includes('claim'))
          expect((await rows()).filter(({ state }) => state === 'PLANNED' || state === 'QUEUED')).toEqual([])
      }),
      { numRuns: sampleSize(25) },
    )
  })
})
