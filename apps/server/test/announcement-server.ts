import type { AnnouncementVerb } from '@tocsin/contract/announcement/announcement-machine'
import { makeDept, makeSchool, makeUser } from '../seed/fixtures.ts'
import { REVISION_OWNER } from '../src/areas/announcement/announcement-change.ts'
import { announcementTimerHandlers } from '../src/areas/announcement/publication.ts'
import { announcementRoutes } from '../src/areas/announcement/routes.ts'
import { fileRoutes } from '../src/areas/files/routes.ts'
import { runDueTimers } from '../src/timer/scheduler.ts'
import { PASSWORD, startAdminServer } from './admin-server.ts'
import type { ApiResponse } from './console.ts'
import { quietLog } from './quiet-log.ts'

const paths: Partial<Record<AnnouncementVerb, string>> = {
  submitRevision: 'submit-revision',
  approveRevision: 'approve-revision',
  returnRevision: 'return-revision',
  dropRevision: 'drop-revision',
}

const HOUR_MS = 3_600_000
export const inHours = (hours: number): number => Date.now() + hours * HOUR_MS

/** A bureau with an author and two publishers above two schools, and another bureau that sees none of it. */
export const startAnnouncementServer = async () => {
  const admin = await startAdminServer((db) => [...announcementRoutes({ db }), ...fileRoutes({ db })])
  const { db } = admin.site
  let people = 0
  const person = async (deptId: number, role: string, mobile: string | null = null) => {
    people += 1
    const username = `person${people}`
    const { id } = await makeUser(db, {
      username,
      password: PASSWORD,
      deptId,
      nickname: username,
      mobile,
      roles: [role],
    })
    return { id, token: await admin.site.tokenOf(username, PASSWORD) }
  }
  const bureau = await makeDept(db, { name: '教育局', parentId: admin.here.deptId })
  const elsewhere = await makeDept(db, { name: '另一教育局', parentId: admin.there.deptId })
  const [first, second] = [
    await makeSchool(db, { name: '东湖一小', eduDeptId: bureau.id }),
    await makeSchool(db, { name: '学府二小', eduDeptId: bureau.id }),
  ]
  const user = {
    author: await person(bureau.id, 'edu_bureau', '13800000001'),
    publisher: await person(bureau.id, 'edu_bureau'),
    colleague: await person(bureau.id, 'edu_bureau'),
    supervisor: await person(bureau.id, 'supervisor'),
    head: await person(first.deptId, 'school_admin', '13800000002'),
    guard: await person(first.deptId, 'guard'),
    other: await person(second.deptId, 'school_admin'),
    stranger: await person(elsewhere.id, 'edu_bureau'),
  }
  const draft = (more: object = {}) => ({
    title: '期末校园安全检查安排',
    content: '<p>检查时间：12 月 1 日至 5 日。</p><p>请各校自查。</p>',
    target: 'SCOPE',
    schoolIds: [first.id],
    ...more,
  })
  const create = async (more: object = {}, token = user.author.token) =>
    Number((await admin.call('POST', '/announcement/announcement/create', draft(more), token)).data)
  const rowOf = (id: number) =>
    admin.all.selectFrom('announcement').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const act = async (verb: AnnouncementVerb | 'remind', id: number, token: string, more: object = {}) => {
    const { version } = await rowOf(id)
    const path = verb === 'remind' ? verb : (paths[verb] ?? verb)
    return admin.call('POST', `/announcement/announcement/${path}`, { id, version, ...more }, token)
  }
  const must = async (answer: Promise<ApiResponse>) => {
    const { code, msg } = await answer
    if (code !== 200) throw new Error(`${code} ${msg}`)
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
    /** Written, submitted and approved. */
    publish: async (more: object = {}) => {
      const id = await create(more)
      await must(act('submit', id, user.author.token))
      await must(act('approve', id, user.publisher.token))
      return id
    },
    /** A new edition of a published announcement, approved by another person. */
    revise: async (id: number, text: object) => {
      const { title, content, pinned, validUntil } = await rowOf(id)
      const body = { title, content, pinned, validUntil: validUntil?.getTime() ?? null, ...text }
      await must(act('revise', id, user.author.token, body))
      await must(act('submitRevision', id, user.author.token))
      await must(act('approveRevision', id, user.publisher.token))
    },
    /** A picture and an attachment of its revision, of a file that the author has uploaded. */
    attachToRevision: async (id: number) => {
      const author = { ownerId: user.author.id, ownerName: 'person1', deptId: bureau.id }
      const content = { name: 'plan.txt', type: 'text/plain', size: 1, sha256: Buffer.alloc(32) }
      const { id: fileId } = await admin.all
        .insertInto('file')
        .values({ ...content, ...author, purpose: 'DRAFT' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const owner = { ownerType: REVISION_OWNER, ownerId: id }
      await admin.all
        .insertInto('attachment')
        .values({ ...owner, fileId, kind: 'FILE', note: null, takenAt: null, createdBy: user.author.id })
        .execute()
      await admin.all.insertInto('fileUse').values({ subject: REVISION_OWNER, subjectId: id, fileId }).execute()
    },
    revisionFiles: async (id: number): Promise<number> => {
      const { rows } = await admin.pool.query<{ count: number }>(
        `select (select count(*) from attachment where owner_type = $1 and owner_id = $2)::int
          + (select count(*) from file_use where subject = $1 and subject_id = $2)::int as count`,
        [REVISION_OWNER, id],
      )
      return rows[0]?.count ?? -1
    },
    /** Runs the named timer of an announcement on two nodes at once, as if it were due. */
    elapse: async (id: number, step: 'PUBLISH' | 'EXPIRE') => {
      await admin.pool.query(
        `update timer set due_at = now() where kind = 'announcement' and subject_id = $1 and step = $2 and done_at is null`,
        [id, step],
      )
      const node = () =>
        runDueTimers({ db, handlers: announcementTimerHandlers, log: quietLog }, new AbortController().signal)
      await Promise.all([node(), node()])
    },
  }
}
export type AnnouncementServer = Awaited<ReturnType<typeof startAnnouncementServer>>
