import type { OrderVerb } from '@tocsin/contract/supervise/order-machine'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDept, makeSchool, makeUser } from '../seed/fixtures.ts'
import { configureFileStore } from '../src/areas/files/file-store.ts'
import { fileRoutes } from '../src/areas/files/routes.ts'
import { orderTimerHandlers } from '../src/areas/supervise/order-timers.ts'
import { superviseRoutes } from '../src/areas/supervise/routes.ts'
import { folderStore } from '../src/store/folder.ts'
import { runDueTimers } from '../src/timer/scheduler.ts'
import { PASSWORD, startAdminServer } from './admin-server.ts'
import type { ApiResponse } from './console.ts'
import { quietLog } from './quiet-log.ts'

const paths: Record<OrderVerb, string> = {
  issue: 'issue',
  sign: 'sign',
  progress: 'progress',
  submit: 'submit',
  conclude: 'conclude',
  return: 'return',
  evaluate: 'evaluate',
  requestExtension: 'request-extension',
  approveExtension: 'approve-extension',
  refuseExtension: 'refuse-extension',
  transfer: 'transfer',
  revoke: 'revoke',
}

const DAY_MS = 86_400_000
export const inDays = (days: number): number => Date.now() + days * DAY_MS

/** A bureau with two users above two schools with two users each, and another bureau that sees none of it. */
export const startSuperviseServer = async () => {
  const admin = await startAdminServer((db) => [...superviseRoutes({ db }), ...fileRoutes({ db })])
  const { db } = admin.site
  // Signs the links of attachments; no file is stored.
  const folder = join(tmpdir(), 'supervise-files')
  configureFileStore({ store: folderStore(folder), linkKey: randomBytes(32), sheets: folder })
  let people = 0
  const person = async (deptId: number, role: string) => {
    people += 1
    const username = `person${people}`
    const { id } = await makeUser(db, { username, password: PASSWORD, deptId, nickname: username, roles: [role] })
    return { id, token: await admin.site.tokenOf(username, PASSWORD) }
  }
  const bureau = await makeDept(db, { name: '教育局', parentId: admin.here.deptId })
  const elsewhere = await makeDept(db, { name: '另一教育局', parentId: admin.there.deptId })
  const [first, second] = [
    await makeSchool(db, { eduDeptId: bureau.id }),
    await makeSchool(db, { eduDeptId: bureau.id }),
  ]
  const user = {
    issuer: await person(bureau.id, 'edu_bureau'),
    reviewer: await person(bureau.id, 'edu_bureau'),
    head: await person(first.deptId, 'school_admin'),
    safety: await person(first.deptId, 'safety_officer'),
    other: await person(second.deptId, 'school_admin'),
    stranger: await person(elsewhere.id, 'edu_bureau'),
  }
  const draft = (more: object = {}) => ({
    kind: 'HAZARD',
    title: '消防通道被占用',
    content: '三楼东侧消防通道堆放课桌。',
    requirement: '三日内清理并拍照。',
    schoolId: first.id,
    dueAt: inDays(5),
    signDueAt: inDays(1),
    nodes: [{ name: '清理', dueAt: inDays(2) }],
    ...more,
  })
  const create = async (more: object = {}, token = user.issuer.token) =>
    Number((await admin.call('POST', '/supervise/order/create', draft(more), token)).data)
  const rowOf = (id: number) =>
    admin.all.selectFrom('superviseOrder').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const act = async (verb: OrderVerb, id: number, token: string, more: object = {}): Promise<ApiResponse> => {
    const { version } = await rowOf(id)
    return admin.call('POST', `/supervise/order/${paths[verb]}`, { id, version, ...more }, token)
  }
  return {
    ...admin,
    who: user,
    person,
    bureau,
    first,
    second,
    draft,
    create,
    rowOf,
    act,
    /** Runs the pending timers of an order, as if they were due. */
    elapse: async (orderId: number, ...steps: string[]) => {
      await admin.pool.query(
        `update timer set due_at = now() where kind = 'supervise' and subject_id = $1 and step = any($2)`,
        [orderId, steps],
      )
      await runDueTimers({ db, handlers: orderTimerHandlers, log: quietLog }, new AbortController().signal)
    },
    /** Two shifts of a post that nobody came to. */
    absences: async (schoolId: number) => {
      await admin.pool.query(
        `with post as (
           insert into security_post (school_id, name, type, from_min, to_min, check_code)
           values ($1, '东门', 'GATE', 0, 480, 'code' || $1::bigint) returning id
         ), person as (
           insert into employee (school_id, dept_id, employee_no, name, kind)
           select id, dept_id, 'G1', '马', 'GUARD' from school where id = $1 returning id
         )
         insert into shift (post_id, school_id, employee_id, from_at, to_at, state)
         select post.id, $1, person.id, now() - make_interval(days => n), now() - make_interval(days => n) + interval '8 hours',
           'ABSENT' from post, person, generate_series(1, 2) n`,
        [schoolId],
      )
    },
    /** The reminders to come, with the days until then. */
    reminders: async (orderId: number) => {
      const { rows } = await admin.pool.query<{ step: string; days: number }>(
        `select step, round(extract(epoch from due_at - now()) / 86400)::int as days from timer
         where kind = 'supervise' and subject_id = $1 and done_at is null order by due_at`,
        [orderId],
      )
      return Object.fromEntries(rows.map(({ step, days }) => [step, days]))
    },
    /** A file that the issuer has uploaded for a form. */
    upload: async (name: string) => {
      const owner = { ownerId: user.issuer.id, ownerName: 'person1', deptId: bureau.id }
      const { id } = await admin.all
        .insertInto('file')
        .values({ name, type: 'image/png', size: 1, sha256: Buffer.alloc(32), ...owner, purpose: 'DRAFT' })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    noticesTo: async (userId: number) =>
      (
        await admin.all
          .selectFrom('notice')
          .innerJoin('noticeUser', 'noticeUser.noticeId', 'notice.id')
          .select('notice.title')
          .where('noticeUser.userId', '=', userId)
          .orderBy('notice.id')
          .execute()
      ).map(({ title }) => title.split('：')[0]),
  }
}
export type SuperviseServer = Awaited<ReturnType<typeof startSuperviseServer>>
