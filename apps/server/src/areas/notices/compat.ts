import { localStamp } from '@tocsin/contract/time-zone'
import { type NoticeForm, NoticeFormEdit, type NoticeItem, noticesV1 } from '@tocsin/contract/compat/notice'
import type { Notice, NoticeDraft, NoticeRow } from '@tocsin/contract/notices/notice'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Route, route } from '#http/route'
import { fieldError, editWithoutVersion } from '#areas/audit/edit-transaction'
import { markRead, getInboxNotice, inboxPage } from './inbox.ts'
import { noticeEntity, turnNotice } from './notice.ts'

const stateNumbers = { DRAFT: 0, PUBLISHED: 1, REVOKED: -1 } as const
const stateWords = { '0': 'DRAFT', '1': 'PUBLISHED', '-1': 'REVOKED' } as const
const targetOf = (target: NoticeRow['target']) => (target === 'ALL' ? 1 : 2)
const stamp = (at: Date | null) => at && localStamp(at)

const itemOf = ({ id, title, type, level, target, state, publisherName, ...times }: NoticeRow): NoticeItem => ({
  id,
  title,
  type,
  level,
  targetType: targetOf(target),
  publishStatus: stateNumbers[state],
  publisherName,
  publishTime: stamp(times.publishedAt),
  revokeTime: stamp(times.revokedAt),
  createTime: localStamp(times.createTime),
})

const formOf = ({ id, title, content, type, level, target, userIds }: Notice): NoticeForm => ({
  id,
  title,
  content,
  type,
  level,
  targetType: targetOf(target),
  targetUserIds: userIds.map(String),
})

type Targets = Partial<Pick<NoticeDraft, 'target' | 'userIds' | 'deptIds'>>

/** The receivers of a form; undefined when it names none. Chosen departments stay, and are never converted to users. */
const targetsOf = ({ targetType, targetUserIds }: NoticeFormEdit, before?: Notice): Targets => {
  if (before?.target === 'DEPT') {
    if ((targetType ?? 2) !== 2 || (targetUserIds ?? []).length > 0)
      throw fieldError(NoticeFormEdit, 'targetType', 'choice')
    return {}
  }
  if (targetType === undefined && targetUserIds === undefined) return {}
  const target = (targetType ?? targetOf(before?.target ?? 'ALL')) === 1 ? 'ALL' : 'USER'
  const userIds = targetUserIds?.map(Number) ?? before?.userIds ?? []
  return { target, userIds: target === 'ALL' ? [] : userIds, deptIds: [] }
}

type Looking = { actor: Actor; readonly: boolean }

/** A notice to the caller, which this marks as read; or one that the caller administers. */
const detailOf = async (db: Db, id: number, { actor, readonly }: Looking) => {
  const mine = await getInboxNotice(db, actor, id).catch((error: unknown) => {
    if (error instanceof BusinessError && hasPermission(actor)(noticesV1.page.permission)) return undefined
    throw error
  })
  if (!mine) return noticeEntity.get(db, actor, id)
  if (!readonly) await markRead(db, actor, [id])
  return { ...mine, state: 'PUBLISHED' as const }
}

const myRoutes = (db: Db): Route[] => [
  route(noticesV1.detail, async ({ params, ...looking }) => {
    const { id, title, content, type, level, state, publisherName, publishedAt } = await detailOf(
      db,
      params.id,
      looking,
    )
    const published = { publishStatus: stateNumbers[state], publisherName, publishTime: stamp(publishedAt) }
    return { id, title, content, type, level, ...published }
  }),
  route(noticesV1.myPage, async ({ query, actor }) => {
    const { list, ...counted } = await inboxPage(db, actor, query)
    return {
      list: list.map(({ readAt, publishedAt, jobId: _job, ...row }) => ({
        ...row,
        publishTime: stamp(publishedAt),
        isRead: readAt !== null,
      })),
      ...counted,
    }
  }),
  route(noticesV1.readAll, async ({ actor }) => {
    await markRead(db, actor, 'all')
    return null
  }),
]

/** Notices in the compatibility API (wire 1.7): names and shapes only. */
export const noticeRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(noticesV1.page, async ({ query: { publishStatus, ...query }, actor }) => {
    const state = publishStatus && [stateWords[publishStatus]]
    const { list, ...counted } = await noticeEntity.page(db, actor, { ...query, state })
    return { list: list.map(itemOf), ...counted }
  }),
  route(noticesV1.form, async ({ params, actor }) => formOf(await noticeEntity.get(db, actor, params.id))),
  route(noticesV1.create, ({ body, caller }) => {
    const { title, content, type, level } = body
    const target = body.targetType === 1 ? ('ALL' as const) : ('USER' as const)
    return noticeEntity.create({ db }, caller, { title, content, type, level, ...targetsOf(body), target })
  }),
  route(noticesV1.update, async ({ params: { id }, body, actor, caller }) => {
    const { title, content, type, level } = body
    await editWithoutVersion(
      () => noticeEntity.get(db, actor, id),
      (before) => {
        const edit = { title, content, type, level, ...targetsOf(body, before) }
        return noticeEntity.update({ db }, caller, { ...edit, id, version: before.version })
      },
    )
    return null
  }),
  route(noticesV1.delete, async ({ params, caller }) => {
    await noticeEntity.delete({ db }, caller, params.ids)
    return null
  }),
  route(noticesV1.publish, async ({ params: { id }, actor, caller }) => {
    await editWithoutVersion(
      () => noticeEntity.get(db, actor, id),
      ({ version }) => turnNotice(db, 'publish', { id, version }, caller),
    )
    return null
  }),
  route(noticesV1.revoke, async ({ params: { id }, actor, caller }) => {
    await editWithoutVersion(
      () => noticeEntity.get(db, actor, id),
      ({ version }) => turnNotice(db, 'revoke', { id, version }, caller),
    )
    return null
  }),
  ...myRoutes(db),
]
