import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import {
  Notice,
  NoticeDraft,
  type NoticeEdit,
  type NoticeNew,
  type NoticeQuery,
  type NoticeRow,
  noticeStates,
} from '@tocsin/contract/notices/notice'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped, scoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { writeAudit } from '#areas/audit/audit'
import {
  createStamp,
  fieldError,
  checkVersion,
  runEditForEach,
  changedColumns,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { cleanContent, setImageReferences, withImageLinks } from './content.ts'
import {
  checkRecipients,
  splitVisibleRecipients,
  type Recipients,
  loadRecipients,
  notifyRecipients,
  saveRecipients,
} from './recipients.ts'

type Kept = Row<'notice'>

const rowOf = ({ deptId: _dept, jobId: _job, publisherId: _by, content: _content, ...row }: Kept): NoticeRow => ({
  ...row,
  status: row.state === 'PUBLISHED',
})

/** Notices written by users: a notice about a job belongs to its receiver alone, whatever else a user sees. */
const administered = (db: Db, actor: Actor) => scoped(db, actor).selectFrom('notice').where('jobId', 'is', null)

const order: ListOrder<NoticeQuery> = {
  columns: {
    title: { by: sql`title` },
    state: { by: byWord(sql`state`, noticeStates) },
    publishedAt: { by: sql`published_at`, nullable: true },
    createTime: { by: sql`create_time` },
  },
  usual: sql`id desc`,
  id: sql`id`,
}

export const noticePage = async (db: Db, actor: Actor, query: NoticeQuery): Promise<Page<NoticeRow>> => {
  const { title, type, level, state, status, createTime } = query
  const { limit, offset } = toOffsetLimit(query)
  const hits = administered(db, actor)
    .$if(!!title, (q) => q.where('title', 'ilike', likePattern(title ?? '')))
    .$if(!!type, (q) => q.where('type', '=', type ?? ''))
    .$if(!!level?.length, (q) => q.where('level', 'in', level ?? []))
    .$if(!!createTime, (q) => q.where(sql<boolean>`create_time between ${createTime?.[0]} and ${createTime?.[1]}`))
    .$if(!!state?.length, (q) => q.where('state', 'in', state ?? []))
    .$if(status !== undefined, (q) => q.where('state', status ? '=' : '!=', 'PUBLISHED'))
  const rows = await hits.selectAll().orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute()
  return { list: rows.map(rowOf), ...(await countCapped(db, hits.select('id'))) }
}

export const requireNotice = (row: Kept | undefined): Kept => {
  if (!row) throw new BusinessError(codes.noticeMissing)
  return row
}
export const find = (db: Db, actor: Actor, id: number) => administered(db, actor).selectAll().where('id', '=', id)

const whole = async (db: Db, actor: Actor, row: Kept): Promise<Notice> => {
  const { seen } = await splitVisibleRecipients(db, actor, await loadRecipients(db, row))
  return { ...rowOf(row), content: withImageLinks(row.content, actor), ...seen }
}

export const getNotice = async (db: Db, actor: Actor, id: number): Promise<Notice> =>
  whole(db, actor, requireNotice(await find(db, actor, id).executeTakeFirst()))

const checkType = async (trx: Db, type: string): Promise<void> => {
  const word = await trx
    .selectFrom('dictData')
    .select('id')
    .where('dictType', '=', 'system_notice_type')
    .where('value', '=', type)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!word) throw fieldError(NoticeDraft, 'type', 'choice')
}

type State = { row: Kept; target: Recipients }
type Change = { verb: string; id: number; before?: State; after?: State }

const stateOf = (state: State | undefined) => {
  if (!state) return null
  const { jobId: _job, ...row } = state.row
  return { ...toAuditState(row), ...state.target }
}

const recorded = (trx: Db, caller: Caller, { verb, id, before, after }: Change): Promise<void> =>
  writeAudit(trx, {
    ...caller,
    action: `system:notice:${verb}`,
    subject: 'notice',
    subjectId: id,
    before: stateOf(before),
    after: stateOf(after),
  })

export const createNotice = async (db: Db, draft: NoticeNew, caller: Caller): Promise<number> => {
  const { deptIds = [], userIds = [], level = 'L', target: audience = 'ALL', status = false, ...columns } = draft
  const content = cleanContent(draft.content)
  return db.transaction().execute(async (trx) => {
    const target = { target: audience, deptIds, userIds }
    await checkType(trx, draft.type)
    await checkRecipients(trx, caller.actor, target)
    const row = await unscoped(trx, 'an insert reads nothing; it belongs to the writer')
      .insertInto('notice')
      .values({ ...columns, target: audience, level, content, deptId: caller.actor.deptId, ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    await saveRecipients(trx, row.id, target)
    await setImageReferences(trx, caller.actor, { subject: 'notice', subjectId: row.id }, content)
    await recorded(trx, caller, { verb: 'create', id: row.id, after: { row, target } })
    if (status) await turn(trx, { id: row.id }, caller, 'publish')
    return row.id
  })
}

type Step = {
  id: number
  version?: number | undefined
  verb: string
  from: readonly Kept['state'][]
  work: (trx: Db, before: State) => Promise<State | undefined>
}

/** Makes one change of a visible notice under its lock, from a state that allows it. */
const stepIn = async (trx: Db, caller: Caller, { id, version, verb, from, work }: Step): Promise<true> => {
  const row = requireNotice(await find(trx, caller.actor, id).forUpdate().executeTakeFirst())
  await checkVersion(version, row, async () => z.encode(Notice, await whole(trx, caller.actor, row)))
  if (!from.includes(row.state)) throw new BusinessError(codes.noticeState)
  const before = { row, target: await loadRecipients(trx, row) }
  const after = await work(trx, before)
  await recorded(trx, caller, { verb, id, before, ...(after && { after }) })
  return true
}

const step = (db: Db, caller: Caller, given: Step): Promise<true> =>
  db.transaction().execute((trx) => stepIn(trx, caller, given))

const write = (trx: Db, caller: Caller, id: number, columns: Partial<Kept>): Promise<Kept> =>
  unscoped(trx, 'locked in sight')
    .updateTable('notice')
    .set({ ...columns, ...updateStamp(caller) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const unpublished = ['DRAFT', 'REVOKED'] as const

export const updateNotice = (db: Db, edit: NoticeEdit, caller: Caller): Promise<true> => {
  const { id, version } = edit
  const { deptIds, userIds, content, status, ...columns } = changedColumns(edit)
  const clean = content === undefined ? {} : { content: cleanContent(content) }
  const work: Step['work'] = async (trx, before) => {
    const { seen, rest } = await splitVisibleRecipients(trx, caller.actor, before.target)
    const target = {
      target: columns.target ?? before.target.target,
      deptIds: [...(deptIds ?? seen.deptIds), ...rest.deptIds],
      userIds: [...(userIds ?? seen.userIds), ...rest.userIds],
    }
    if (columns.type !== undefined) await checkType(trx, columns.type)
    await checkRecipients(trx, caller.actor, target, before.target)
    await saveRecipients(trx, id, target)
    if (clean.content !== undefined)
      await setImageReferences(trx, caller.actor, { subject: 'notice', subjectId: id }, clean.content)
    return { row: await write(trx, caller, id, { ...columns, ...clean }), target }
  }
  return db.transaction().execute(async (trx): Promise<true> => {
    const { state } = await getNotice(trx, caller.actor, id)
    const revoked = status === false && state === 'PUBLISHED'
    if (revoked) await turn(trx, { id, version }, caller, 'revoke')
    await stepIn(trx, caller, { id, ...(!revoked && { version }), verb: 'update', from: unpublished, work })
    if (status) await turn(trx, { id }, caller, 'publish')
    return true
  })
}

/** Rolls everything back when one row fails. */
export const deleteNotices = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) => find(db, caller.actor, id).select('title as name').executeTakeFirst(),
    work: (trx, id) => {
      const work: Step['work'] = async () => {
        await setImageReferences(trx, caller.actor, { subject: 'notice', subjectId: id }, null)
        await unscoped(trx, 'locked in sight').deleteFrom('notice').where('id', '=', id).execute()
        return undefined
      }
      return stepIn(trx, caller, { id, verb: 'delete', from: unpublished, work })
    },
  })

type Turn = { id: number; version?: number | undefined }

/** Receivers are checked for the publisher, not for the writer. Revocation resets the read marks. */
const publishing = ({ id, version }: Turn, caller: Caller): Step => ({
  id,
  version,
  verb: 'publish',
  from: unpublished,
  work: async (trx, { target }) => {
    await checkRecipients(trx, caller.actor, target)
    await trx.deleteFrom('noticeReceipt').where('noticeId', '=', id).execute()
    const { userId: publisherId, nickname: publisherName } = caller.actor
    const { rows } = await sql<{ at: Date }>`select now() as at`.execute(trx)
    const published = { publisherId, publisherName, publishedAt: rows[0]?.at ?? null, revokedAt: null }
    const row = await write(trx, caller, id, { state: 'PUBLISHED', ...published })
    await notifyRecipients(trx, 'notice.published', row)
    return { row, target }
  },
})

const revoking = ({ id, version }: Turn, caller: Caller): Step => ({
  id,
  version,
  verb: 'revoke',
  from: ['PUBLISHED'],
  work: async (trx, { target }) => {
    const { rows } = await sql<{ at: Date }>`select now() as at`.execute(trx)
    const row = await write(trx, caller, id, { state: 'REVOKED', revokedAt: rows[0]?.at ?? null })
    await notifyRecipients(trx, 'notice.revoked', row)
    return { row, target }
  },
})

const turns = { publish: publishing, revoke: revoking }

/** Publishes or revokes with another change of the notice, which needed another permission. */
const turn = async (trx: Db, of: Turn, caller: Caller, verb: keyof typeof turns): Promise<void> => {
  if (!hasPermission(caller.actor)(`system:notice:${verb}`)) throw new BusinessError(codes.forbidden)
  await stepIn(trx, caller, turns[verb](of, caller))
}

export const publishNotice = (db: Db, of: Turn, caller: Caller): Promise<true> =>
  step(db, caller, publishing(of, caller))

export const revokeNotice = (db: Db, of: Turn, caller: Caller): Promise<true> => step(db, caller, revoking(of, caller))

/** Publishes a draft, and pushes a published notice again: the screens of its receivers show it once more. */
export const pushNotice = async (db: Db, id: number, caller: Caller): Promise<true> => {
  const { state, version } = await getNotice(db, caller.actor, id)
  if (state !== 'PUBLISHED') return publishNotice(db, { id, version }, caller)
  const work: Step['work'] = async (trx, before) => {
    await checkRecipients(trx, caller.actor, before.target)
    await notifyRecipients(trx, 'notice.published', before.row)
    return before
  }
  return step(db, caller, { id, verb: 'push', from: ['PUBLISHED'], work })
}
