import { AnnouncementDraft, type AnnouncementNew } from '@tocsin/contract/announcement/announcement'
import { announcements } from '@tocsin/contract/announcement/announcement-calls'
import { codes } from '@tocsin/contract/codes'
import type { z } from 'zod'
import {
  changedColumns,
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
} from '#areas/audit/edit-transaction'
import { addAttachments, deleteAttachments, replaceAttachments } from '#areas/files/attachment'
import { attachFiles } from '#areas/files/attachments'
import { cleanContent, imageIdsIn } from '#areas/notices/content'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import {
  auditAnnouncement,
  emitAnnouncementChanged,
  lockVisible,
  OWNER,
  updateAnnouncement,
  writeAnnouncementLog,
} from './announcement-change.ts'
import { checkScope, type Scope } from './scope.ts'

registerConstraintErrors({ announcement_dept_fkey: { code: codes.referred, params: { what: '部门' } } })

type Times = { publishAt?: Date | null | undefined; validUntil?: Date | null | undefined }

/** The validity ends after the publication, and in the future. */
export const checkTimes = ({ publishAt, validUntil }: Times): void => {
  const from = Math.max(publishAt?.getTime() ?? 0, Date.now())
  if (validUntil && validUntil.getTime() <= from)
    throw fieldError(AnnouncementDraft, 'validUntil', 'tooSmall', new Date(from))
}

/** Sets which pictures a text refers to; null when it is deleted. */
export const setPictures = (
  trx: Db,
  actor: Actor,
  of: { subject: string; subjectId: number },
  clean: string | null,
): Promise<void> =>
  attachFiles(trx, actor, { ...of, draft: AnnouncementDraft }, [
    { field: 'content', ids: clean === null ? [] : imageIdsIn(clean), pictures: true },
  ])

export const createAnnouncement = (db: Db, draft: AnnouncementNew, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { attachments, target = 'ALL', deptIds = [], schoolIds = [], roleIds = [], ...columns } = draft
    const { userId, deptId } = caller.actor
    const scope = { target, deptIds, schoolIds, roleIds } satisfies Scope
    checkTimes(columns)
    await checkScope(trx, caller.actor, scope)
    const content = cleanContent(draft.content, AnnouncementDraft)
    const row = await unscoped(trx, 'an insert reads nothing; it belongs to the author')
      .insertInto('announcement')
      .values({
        ...columns,
        ...scope,
        content,
        deptId,
        authorId: userId,
        textBy: userId,
        writerIds: [userId],
        ...createStamp(caller),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await setPictures(trx, caller.actor, { subject: OWNER, subjectId: row.id }, content)
    await addAttachments(trx, { ownerType: OWNER, ownerId: row.id, files: attachments, actor: caller.actor })
    await writeAnnouncementLog(trx, caller, row, { verb: 'create' })
    await auditAnnouncement(trx, caller, { action: announcements.create.permission, after: row })
    await emitAnnouncementChanged(trx, row)
    return row.id
  })

const lockDraft = async (trx: Db, caller: Caller, { id, version }: { id: number; version?: number }) => {
  const row = await lockVisible(trx, caller.actor, id)
  if (version !== undefined) await checkVersion(version, row, () => toAuditState(row))
  if (row.state !== 'DRAFT') throw new BusinessError(codes.announcementState, { state: row.state })
  return row
}

type Edit = z.output<typeof announcements.update.body>

export const updateDraft = (db: Db, edit: Edit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockDraft(trx, caller, edit)
    const { attachments, content, ...changes } = changedColumns(edit)
    const draft = { ...before, ...changes }
    checkTimes(draft)
    await checkScope(trx, caller.actor, draft)
    const clean = content === undefined ? {} : { content: cleanContent(content, AnnouncementDraft) }
    const after = await updateAnnouncement(trx, caller, edit.id, {
      ...changes,
      ...clean,
      textBy: caller.actor.userId,
      writerIds: [...new Set([...before.writerIds, caller.actor.userId])],
    })
    if (clean.content !== undefined)
      await setPictures(trx, caller.actor, { subject: OWNER, subjectId: edit.id }, clean.content)
    if (attachments)
      await replaceAttachments(trx, { ownerType: OWNER, ownerId: edit.id, files: attachments, actor: caller.actor })
    await auditAnnouncement(trx, caller, { action: announcements.update.permission, before, after })
    await emitAnnouncementChanged(trx, after)
    return true
  })

export const deleteDraft = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockDraft(trx, caller, { id })
    await setPictures(trx, caller.actor, { subject: OWNER, subjectId: id }, null)
    await deleteAttachments(trx, { ownerType: OWNER, ownerId: id })
    await unscoped(trx, 'the announcement was locked in sight')
      .deleteFrom('announcement')
      .where('id', '=', id)
      .execute()
    await auditAnnouncement(trx, caller, { action: announcements.delete.permission, before })
    await emitAnnouncementChanged(trx, before)
    return true
  })
