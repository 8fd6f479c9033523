import { RevisionDraft } from '@tocsin/contract/announcement/announcement'
import { announcementVerbCalls } from '@tocsin/contract/announcement/announcement-calls'
import { announcementMachine } from '@tocsin/contract/announcement/announcement-machine'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { z } from 'zod'
import { fieldError } from '#areas/audit/edit-transaction'
import { deleteAttachments, replaceAttachments } from '#areas/files/attachment'
import { cleanContent } from '#areas/notices/content'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { OWNER, REVISION_OWNER, runAnnouncementVerb } from './announcement-change.ts'
import { checkTimes, setPictures } from './announcement-draft.ts'
import type { StoredAnnouncement } from './announcement-rows.ts'
import {
  dropRevisionFiles,
  dropRevisionPictures,
  endPublication,
  noRevision,
  publishEdition,
  schedulePublication,
} from './publication.ts'
import { countAudience } from './scope.ts'

type Body<K extends keyof typeof announcementVerbCalls> = z.output<(typeof announcementVerbCalls)[K]['body']>

const checkReachesSomebody = async (trx: Db, row: StoredAnnouncement): Promise<void> => {
  const { people } = await countAudience(trx, row)
  if (people === 0) throw new BusinessError(codes.announcementNobody)
}

export const submitAnnouncement = (db: Db, body: Body<'submit'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb({ db, who: caller, verb: 'submit', one: body }, async ({ trx, before }) => {
    checkTimes(before)
    await checkReachesSomebody(trx, before)
    return { set: { submittedBy: caller.actor.userId, reviewerId: null } }
  })

export const approveAnnouncement = (db: Db, body: Body<'approve'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb(
    { db, who: caller, verb: 'approve', one: body },
    async ({ trx, before }) => {
      checkTimes(before)
      await checkReachesSomebody(trx, before)
      const isLater = before.publishAt !== null && before.publishAt.getTime() > Date.now()
      return { set: { reviewerId: caller.actor.userId, ...(isLater && { state: announcementMachine.approve.later }) } }
    },
    async (trx, row) => {
      if (row.state === 'PUBLISHED') return publishEdition(trx, caller, row)
      await schedulePublication(trx, row)
      return undefined
    },
  )

export const returnAnnouncement = (db: Db, { reason, ...target }: Body<'return'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb({ db, who: caller, verb: 'return', one: target }, () => ({ text: reason }))

export const publishNow = (db: Db, body: Body<'publish'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb(
    { db, who: caller, verb: 'publish', one: body },
    () => ({}),
    (trx, row) => publishEdition(trx, caller, row),
  )

export const rescheduleAnnouncement = (
  db: Db,
  { publishAt, ...target }: Body<'schedule'>,
  caller: Caller,
): Promise<true> =>
  runAnnouncementVerb(
    { db, who: caller, verb: 'schedule', one: target },
    ({ before }) => {
      if (publishAt.getTime() <= Date.now())
        throw fieldError(announcementVerbCalls.schedule.body, 'publishAt', 'tooSmall', new Date())
      checkTimes({ publishAt, validUntil: before.validUntil })
      return { set: { publishAt } }
    },
    async (trx, row) => {
      await schedulePublication(trx, row)
      return undefined
    },
  )

/** The revision begins with the attachments of the published edition. */
const copyAttachments = async (trx: Db, id: number): Promise<void> => {
  await sql`
    insert into attachment (owner_type, owner_id, file_id, kind, note, taken_at, created_by, created_at)
    select ${REVISION_OWNER}, owner_id, file_id, kind, note, taken_at, created_by, created_at from attachment
    where owner_type = ${OWNER} and owner_id = ${id}`.execute(trx)
}

export const reviseAnnouncement = (db: Db, body: Body<'revise'>, caller: Caller): Promise<true> => {
  const { id, version, attachments, ...text } = body
  return runAnnouncementVerb({ db, who: caller, verb: 'revise', one: { id, version } }, async ({ trx, before }) => {
    checkTimes(text)
    const revisionContent = cleanContent(text.content, RevisionDraft)
    await setPictures(trx, caller.actor, { subject: REVISION_OWNER, subjectId: id }, revisionContent)
    if (before.revisionState === null) await copyAttachments(trx, id)
    if (attachments)
      await replaceAttachments(trx, { ownerType: REVISION_OWNER, ownerId: id, files: attachments, actor: caller.actor })
    const { userId } = caller.actor
    return {
      set: {
        revisionTitle: text.title,
        revisionContent,
        revisionPinned: text.pinned,
        revisionValidUntil: text.validUntil,
        textBy: userId,
        writerIds: before.revisionState === null ? [userId] : [...new Set([...before.writerIds, userId])],
        submittedBy: null,
        reviewerId: null,
      },
    }
  })
}

export const submitRevision = (db: Db, body: Body<'submitRevision'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb({ db, who: caller, verb: 'submitRevision', one: body }, ({ before }) => {
    checkTimes({ validUntil: before.revisionValidUntil })
    return { set: { submittedBy: caller.actor.userId } }
  })

/** Attachments and pictures of the revision become those of the announcement. */
const adoptFiles = async (trx: Db, id: number): Promise<void> => {
  await deleteAttachments(trx, { ownerType: OWNER, ownerId: id })
  await sql`update attachment set owner_type = ${OWNER} where owner_type = ${REVISION_OWNER} and owner_id = ${id}`.execute(
    trx,
  )
  await sql`
    insert into file_use (subject, subject_id, file_id)
    select ${OWNER}, subject_id, file_id from file_use where subject = ${REVISION_OWNER} and subject_id = ${id}
    on conflict do nothing`.execute(trx)
  await dropRevisionPictures(trx, id)
}

export const approveRevision = (db: Db, body: Body<'approveRevision'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb(
    { db, who: caller, verb: 'approveRevision', one: body },
    async ({ trx, before }) => {
      checkTimes({ validUntil: before.revisionValidUntil })
      await checkReachesSomebody(trx, before)
      await adoptFiles(trx, before.id)
      return {
        set: {
          title: before.revisionTitle ?? before.title,
          content: before.revisionContent ?? before.content,
          pinned: before.revisionPinned ?? before.pinned,
          validUntil: before.revisionValidUntil,
          reviewerId: caller.actor.userId,
          ...noRevision,
        },
      }
    },
    (trx, row) => publishEdition(trx, caller, row),
  )

export const returnRevision = (db: Db, { reason, ...target }: Body<'returnRevision'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb({ db, who: caller, verb: 'returnRevision', one: target }, () => ({ text: reason }))

export const dropRevision = (db: Db, body: Body<'dropRevision'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb({ db, who: caller, verb: 'dropRevision', one: body }, async ({ trx, before }) => {
    await dropRevisionFiles(trx, before.id)
    return { set: noRevision }
  })

export const withdrawAnnouncement = (db: Db, { reason, ...target }: Body<'withdraw'>, caller: Caller): Promise<true> =>
  runAnnouncementVerb(
    { db, who: caller, verb: 'withdraw', one: target },
    () => ({ set: { ...noRevision, withdrawReason: reason }, text: reason }),
    async (trx, row) => {
      await endPublication(trx, row, 'REVOKED')
      return undefined
    },
  )
