import { codes } from '@tocsin/contract/codes'
import { periodAt, periodBefore, periodDays } from '@tocsin/contract/insight/report-period'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSchool } from '../../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../../seed/record-fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../../../test/admin-server.ts'
import { quietLog } from '../../../../../test/quiet-log.ts'
import { readMail } from '../../../../../test/read-mail.ts'
import { openMailbox } from '../../../../../test/sign-in-fixture.ts'
import { deliverDueNotifications } from '#areas/notify/sender'
import type { Db } from '#db/db'
import { startQueue } from '#jobs/queue'
import { runJob } from '#jobs/run'
import { storeSettingValue } from '#settings/secret-setting'
import type { SettingKey } from '#settings/setting-definitions'
import { invalidateSettings } from '#settings/settings-cache'
import { issueForSubscribers, REPORT_JOB, reportJobs } from './report-job.ts'
import { queueDueReports } from './report-timer.ts'
import { subscriptionRoutes } from './subscriptions.ts'

const ORIGIN = 'https://console.example'
const LONG_AGO = '2024-01-01'
/** A day is due some hours after its end. */
const SIX_HOURS_MS = 6 * 3_600_000

let admin: AdminServer
let queue: Awaited<ReturnType<typeof startQueue>>
let school: Awaited<ReturnType<typeof makeSchool>>

beforeAll(async () => {
  admin = await startAdminServer((db) => subscriptionRoutes({ db }))
  queue = await startQueue(admin.site.db, quietLog)
  school = await makeSchool(admin.site.db, { name: '东湖一小', eduDeptId: admin.here.deptId })
})
afterAll(async () => {
  await queue.stop()
  await admin.end()
})

const path = '/insight/report-subscription'
const draft = () => ({ subjectType: 'SCHOOL', subjectId: school.id, kind: 'MONTH' }) as const
const subscribe = (token: string) => admin.call('POST', `${path}/create`, draft(), token)
const configureMail = async (values: Partial<Record<SettingKey, string>>) => {
  const { db, keys } = admin.site
  for (const [key, value] of Object.entries(values)) {
    const stored = await storeSettingValue(db, keys.setting, key as SettingKey, value)
    await db.updateTable('config').set({ value: stored }).where('key', '=', key).execute()
  }
  invalidateSettings()
}
const inTransaction = <T>(work: (trx: Db) => Promise<T>): Promise<T> => admin.site.db.transaction().execute(work)
const reader = async () => {
  const clerk = await admin.clerk('insight:report:query')
  await admin.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
  await admin.all
    .updateTable('users')
    .set({ email: `reader${clerk.userId}@example.com` })
    .where('id', '=', clerk.userId)
    .execute()
  return clerk
}

describe('subscriptions of reports', () => {
  it('are those of the user, once for a subject and period', async () => {
    const clerk = await reader()
    const { data: id } = await subscribe(clerk.token)
    expect((await subscribe(clerk.token)).code).toBe(codes.reportSubscribed.code)
    const mine = async (token: string) => (await admin.call('GET', `${path}/mine`, undefined, token)).data
    expect(await mine(clerk.token)).toEqual([{ id, ...draft(), subjectName: '东湖一小' }])
    expect(await mine(admin.adminToken)).toEqual([])
    const remove = (token: string) => admin.call('DELETE', `${path}/delete?id=${String(id)}`, undefined, token)
    expect((await remove(admin.adminToken)).code).toBe(codes.notFound.code)
    expect((await remove(clerk.token)).code).toBe(200)
    expect(await mine(clerk.token)).toEqual([])
  })

  it('issue the report of an ended period once, and mail it to those who still see the subject', async () => {
    const [first, moved] = [await reader(), await reader()]
    for (const { token } of [first, moved]) expect((await subscribe(token)).code).toBe(200)
    await admin.all.updateTable('users').set({ deptId: admin.there.deptId }).where('id', '=', moved.userId).execute()
    const now = new Date()
    expect(await inTransaction((trx) => queueDueReports(trx, now))).toBe(0)
    await admin.all.updateTable('reportSubscription').set({ lastDay: LONG_AGO }).execute()
    expect(await inTransaction((trx) => queueDueReports(trx, now))).toBe(1)
    expect(await inTransaction((trx) => queueDueReports(trx, now))).toBe(0)
    const { data } = await admin.all
      .selectFrom('job')
      .select('data')
      .where('name', '=', REPORT_JOB)
      .executeTakeFirstOrThrow()
    expect(data).toMatchObject(draft())
    const { fromDay } = periodDays(periodBefore('MONTH', periodAt('MONTH', now)))
    for (let attempt = 0; attempt < 2; attempt += 1)
      await inTransaction((trx) => issueForSubscribers(trx, { ...draft(), fromDay }, ORIGIN))
    const { id } = await admin.all
      .selectFrom('report')
      .select('id')
      .where('issuedBy', 'is', null)
      .where('fromDay', '=', fromDay)
      .executeTakeFirstOrThrow()
    const mails = await admin.all
      .selectFrom('delivery')
      .select(['subjectId', 'userId', 'channel', 'body'])
      .where('subjectType', '=', 'REPORT')
      .execute()
    expect(mails).toEqual([
      {
        subjectId: id,
        userId: first.userId,
        channel: 'EMAIL',
        body: expect.stringContaining(`${ORIGIN}/insight/report/${id}`),
      },
    ])
  })

  it('reach the mail server with the figures that changed most and a link to the report', async () => {
    const mailbox = await openMailbox()
    await configureMail({ 'mail.smtp-url': mailbox.url, 'mail.from': 'noreply@tocsin.test' })
    const clerk = await reader()
    const {
      id: schoolId,
      deptId,
      name,
    } = await makeSchool(admin.site.db, {
      name: '南湖一小',
      eduDeptId: admin.here.deptId,
    })
    const day = { kind: 'DAY', subjectType: 'SCHOOL', subjectId: schoolId } as const
    const now = new Date()
    const period = periodBefore('DAY', periodAt('DAY', new Date(now.getTime() - SIX_HOURS_MS)))
    const at = new Date(period.from)
    await makeRecord(admin.site.db, { schoolId, deptId, schoolName: name, level: 1, firstAt: at, receivedAt: at })
    expect((await admin.call('POST', `${path}/create`, day, clerk.token)).code).toBe(200)
    await admin.all.updateTable('reportSubscription').set({ lastDay: LONG_AGO }).where('kind', '=', 'DAY').execute()
    await inTransaction((trx) => queueDueReports(trx, now))
    const job = await admin.all
      .selectFrom('job')
      .select('id')
      .where(sql<boolean>`data @> jsonb_build_object('kind', 'DAY', 'subjectId', ${schoolId}::int)`)
      .executeTakeFirstOrThrow()
    await runJob(admin.site.db, reportJobs(ORIGIN), { ...job, stopping: new AbortController().signal })
    const deps = { db: admin.site.db, settingKey: admin.site.keys.setting, log: quietLog }
    while ((await deliverDueNotifications(deps)) > 0);
    await mailbox.close()
    const report = await admin.all
      .selectFrom('report')
      .select('id')
      .where('subjectId', '=', schoolId)
      .executeTakeFirstOrThrow()
    expect(mailbox.mails.map(({ to }) => to)).toEqual([[`reader${clerk.userId}@example.com`]])
    const mail = readMail(mailbox.mails[0]?.raw ?? '')
    expect(mail.subject).toContain('南湖一小')
    expect(mail.text).toContain(periodDays(period).fromDay)
    expect(mail.text).toContain('一级警情 · Alarms of level 1: 1 (+1)')
    expect(mail.text).toContain(`${ORIGIN}/insight/report/${report.id}`)
  })
})
