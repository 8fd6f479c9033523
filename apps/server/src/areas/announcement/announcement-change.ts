import type { AnnouncementLogVerb } from '@tocsin/contract/announcement/announcement'
import {
  announcementRule,
  type AnnouncementVerb,
  whyNotAnnouncement,
} from '@tocsin/contract/announcement/announcement-machine'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { checkVersion, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { notifyOfVerb } from './announcement-notices.ts'
import { type StoredAnnouncement, visibleAnnouncements } from './announcement-rows.ts'

export const OWNER = 'announcement'
export const REVISION_OWNER = 'announcement_revision'

/** Null: the system. */
export type Acting = Caller | null

export const emitAnnouncementChanged = (trx: Db, { id: ref, deptId, authorId }: StoredAnnouncement): Promise<void> =>
  emitEvents(trx, { type: 'announcement.changed', ref, deptId, userId: authorId })

type Change = { action: string; before?: StoredAnnouncement; after?: StoredAnnouncement }

export const auditAnnouncement = (trx: Db, acting: Acting, { action, before, after }: Change): Promise<void> =>
  writeAudit(trx, {
    actor: acting?.actor ?? null,
    origin: acting?.origin ?? null,
    action,
    subject: 'announcement',
    subjectId: (after ?? before)?.id ?? 0,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })

export const writeAnnouncementLog = async (
  trx: Db,
  acting: Acting,
  { id, state, edition }: StoredAnnouncement,
  { verb, text = null }: { verb: AnnouncementLogVerb; text?: string | null | undefined },
): Promise<void> => {
  await trx
    .insertInto('announcementLog')
    .values({ announcementId: id, userId: acting?.actor.userId ?? null, verb, toState: state, edition, text })
    .execute()
}

export const requireAnnouncement = <R>(row: R | undefined): R => {
  if (!row) throw new BusinessError(codes.notFound, { what: '公告' })
  return row
}

export const lockVisible = async (trx: Db, actor: Actor, id: number): Promise<StoredAnnouncement> =>
  requireAnnouncement(
    await visibleAnnouncements(trx, actor)
      .selectAll('announcement')
      .where('announcement.id', '=', id)
      .forNoKeyUpdate('announcement')
      .executeTakeFirst(),
  )

export const updateAnnouncement = (
  trx: Db,
  acting: Acting,
  id: number,
  set: Partial<StoredAnnouncement>,
): Promise<StoredAnnouncement> =>
  unscoped(trx, 'the announcement was locked in sight')
    .updateTable('announcement')
    .set({
      ...set,
      version: sql<number>`version + 1`,
      updateTime: sql<Date>`now()`,
      updater: acting?.actor.userId ?? null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export type VersionedId = { id: number; version: number }
type Act = { db: Db; who: Caller; verb: AnnouncementVerb; one: VersionedId }
type Scene = { trx: Db; before: StoredAnnouncement }
type Effect = { set?: Partial<StoredAnnouncement>; text?: string }

/**
 * Applies one verb of the machine to an announcement: state, log, audit and event in one transaction. `effect` returns
 * further changes; `after` runs afterwards.
 */
export const runAnnouncementVerb = (
  { db, who, verb, one }: Act,
  effect: (scene: Scene) => Promise<Effect> | Effect,
  after?: (trx: Db, row: StoredAnnouncement) => Promise<StoredAnnouncement | undefined>,
): Promise<true> =>
  runEdit(db, { userId: who.actor.userId }, async (trx): Promise<true> => {
    const before = await lockVisible(trx, who.actor, one.id)
    await checkVersion(one.version, before, () => toAuditState(before))
    const why = whyNotAnnouncement(verb, before, who.actor.userId)
    if (why) throw new BusinessError(why, { state: before.state })
    const { set = {}, text } = await effect({ trx, before })
    const { to, revision, permission } = announcementRule(verb)
    const changed = await updateAnnouncement(trx, who, one.id, {
      ...(to !== 'same' && { state: to }),
      ...(revision && { revisionState: revision.to }),
      ...set,
    })
    const row = (await after?.(trx, changed)) ?? changed
    await writeAnnouncementLog(trx, who, row, { verb, text })
    await notifyOfVerb(trx, row, { verb, userId: who.actor.userId, text })
    await auditAnnouncement(trx, who, { action: permission, before, after: row })
    await emitAnnouncementChanged(trx, row)
    return true
  })
