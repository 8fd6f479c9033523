import { announcementTimers } from '@tocsin/contract/announcement/announcement-machine'
import { sql } from 'kysely'
import { deleteAttachments } from '#areas/files/attachment'
import { cancelDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { cancelTimers, scheduleTimer, type TimerKey } from '#timer/timer'
import {
  type Acting,
  auditAnnouncement,
  emitAnnouncementChanged,
  REVISION_OWNER,
  updateAnnouncement,
  writeAnnouncementLog,
} from './announcement-change.ts'
import type { StoredAnnouncement } from './announcement-rows.ts'
import { countAudience, emitToReaders } from './scope.ts'

/** Subject is the announcement; PUBLISH and EXPIRE fire once, on any node. */
const ANNOUNCEMENT_TIMER = 'announcement'

const scheduleAt = async (trx: Db, subjectId: number, step: 'PUBLISH' | 'EXPIRE', at: Date | null): Promise<void> => {
  await cancelTimers(trx, { kind: ANNOUNCEMENT_TIMER, subjectId }, [step])
  if (!at) return
  const { rows } = await sql<{
    left: number
  }>`select extract(epoch from ${at}::timestamptz - now())::float8 as left`.execute(trx)
  await scheduleTimer(trx, { kind: ANNOUNCEMENT_TIMER, subjectId, step, epoch: 1 }, Math.max(rows[0]?.left ?? 0, 0))
}

export const schedulePublication = (trx: Db, { id, publishAt }: StoredAnnouncement): Promise<void> =>
  scheduleAt(trx, id, 'PUBLISH', publishAt)

export const scheduleExpiry = (trx: Db, { id, validUntil }: StoredAnnouncement): Promise<void> =>
  scheduleAt(trx, id, 'EXPIRE', validUntil)

/**
 * Makes the text of the row the next edition: readers see it from the commit on, and those who read an earlier edition
 * see it as changed. The row must be PUBLISHED by now.
 */
export const publishEdition = async (trx: Db, acting: Acting, row: StoredAnnouncement): Promise<StoredAnnouncement> => {
  const { people } = await countAudience(trx, row)
  const published = await updateAnnouncement(trx, acting, row.id, {
    edition: row.edition + 1,
    audience: people,
    publishedAt: row.publishedAt ?? (sql<Date>`now()` as unknown as Date),
  })
  await trx
    .insertInto('announcementEdition')
    .values({
      announcementId: row.id,
      edition: published.edition,
      title: row.title,
      content: row.content,
      textBy: row.textBy,
      // The check of the table: a publication needs a reviewer.
      reviewedBy: row.reviewerId ?? 0,
    })
    .execute()
  await scheduleAt(trx, row.id, 'PUBLISH', null)
  await scheduleExpiry(trx, row)
  await emitToReaders(trx, published)
  return published
}

export const dropRevisionPictures = async (trx: Db, id: number): Promise<void> => {
  await trx.deleteFrom('fileUse').where('subject', '=', REVISION_OWNER).where('subjectId', '=', id).execute()
}

/** Attachments and pictures of a revision that will not be published. */
export const dropRevisionFiles = async (trx: Db, id: number): Promise<void> => {
  await dropRevisionPictures(trx, id)
  await deleteAttachments(trx, { ownerType: REVISION_OWNER, ownerId: id })
}

/** Readers can no longer see it; a revision ends with it. */
export const endPublication = async (trx: Db, row: StoredAnnouncement, reason: 'ENDED' | 'REVOKED'): Promise<void> => {
  await dropRevisionFiles(trx, row.id)
  await cancelTimers(trx, { kind: ANNOUNCEMENT_TIMER, subjectId: row.id })
  await cancelDeliveries(trx, { type: 'ANNOUNCEMENT', id: row.id }, reason)
  await emitToReaders(trx, row)
}

const fire = async (trx: Db, { subjectId, step }: TimerKey): Promise<void> => {
  const verb = step === 'PUBLISH' ? 'publishOnTime' : 'expire'
  const { from, to } = announcementTimers[verb]
  const before = await unscoped(trx, 'the clock acts for nobody in particular')
    .selectFrom('announcement')
    .selectAll()
    .where('id', '=', subjectId)
    .where('state', '=', from)
    .executeTakeFirst()
  if (!before) return
  const moved = await updateAnnouncement(trx, null, subjectId, {
    state: to,
    ...(to === 'EXPIRED' && { ...noRevision }),
  })
  const after = verb === 'publishOnTime' ? await publishEdition(trx, null, moved) : moved
  if (verb === 'expire') await endPublication(trx, moved, 'ENDED')
  await writeAnnouncementLog(trx, null, after, { verb })
  await auditAnnouncement(trx, null, { action: 'announcement:announcement:publish', before, after })
  await emitAnnouncementChanged(trx, after)
}

/** The columns of a revision when there is none. */
export const noRevision = {
  revisionState: null,
  revisionTitle: null,
  revisionContent: null,
  revisionPinned: null,
  revisionValidUntil: null,
} satisfies Partial<StoredAnnouncement>

export const announcementTimerHandlers: Record<typeof ANNOUNCEMENT_TIMER, TimerHandler> = {
  [ANNOUNCEMENT_TIMER]: {
    most: 1,
    // The same lock order as the verbs: the announcement before its timers.
    lock: async (trx, ids, patient) => {
      const rows = unscoped(trx, 'the clock acts for nobody in particular')
        .selectFrom('announcement')
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
      const locked = await (patient ? rows : rows.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const key of keys) await fire(trx, key)
    },
  },
}
