import { announcements, announcementVerbCalls, myAnnouncements } from '@tocsin/contract/announcement/announcement-calls'
import { auditDetailRead } from '#areas/audit/access-audit'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createAnnouncement, deleteDraft, updateDraft } from './announcement-draft.ts'
import { announcementExport, announcementPage, getAnnouncement, scopeAudience } from './announcement-reads.ts'
import {
  approveAnnouncement,
  approveRevision,
  dropRevision,
  publishNow,
  rescheduleAnnouncement,
  returnAnnouncement,
  returnRevision,
  reviseAnnouncement,
  submitAnnouncement,
  submitRevision,
  withdrawAnnouncement,
} from './announcement-verbs.ts'
import { getMyAnnouncement, myAnnouncementPage, readAnnouncement, signAnnouncement } from './my-announcements.ts'
import { receiptExport, receiptPage, receiptSummary, remindReaders } from './receipts.ts'

export const announcementRoutes = ({ db }: { db: Db }): Route[] => [
  route(announcements.page, ({ query, actor }) => announcementPage(db, actor, query)),
  route(announcements.get, ({ query, actor }) => getAnnouncement(db, actor, query.id)),
  route(announcements.audience, ({ query, actor }) => scopeAudience(db, actor, query)),
  route(announcements.receipts, async ({ query, actor, caller }) => {
    const page = await receiptPage(db, actor, query)
    const ids = page.list.map(({ userId }) => userId)
    await auditDetailRead(db, caller, { of: announcements.receipts, subject: 'users', filter: query, ids })
    return page
  }),
  route(announcements.receiptSummary, ({ query, actor }) => receiptSummary(db, actor, query.id)),
  route(announcements.create, ({ body, caller }) => createAnnouncement(db, body, caller)),
  route(announcements.update, ({ body, caller }) => updateDraft(db, body, caller)),
  route(announcements.delete, ({ query, caller }) => deleteDraft(db, query.id, caller)),
  route(announcements.remind, ({ body, caller }) => remindReaders(db, body, caller)),
  ...exportRoutes(db, announcementExport),
  ...exportRoutes(db, receiptExport),
  route(announcementVerbCalls.submit, ({ body, caller }) => submitAnnouncement(db, body, caller)),
  route(announcementVerbCalls.approve, ({ body, caller }) => approveAnnouncement(db, body, caller)),
  route(announcementVerbCalls.return, ({ body, caller }) => returnAnnouncement(db, body, caller)),
  route(announcementVerbCalls.publish, ({ body, caller }) => publishNow(db, body, caller)),
  route(announcementVerbCalls.schedule, ({ body, caller }) => rescheduleAnnouncement(db, body, caller)),
  route(announcementVerbCalls.revise, ({ body, caller }) => reviseAnnouncement(db, body, caller)),
  route(announcementVerbCalls.submitRevision, ({ body, caller }) => submitRevision(db, body, caller)),
  route(announcementVerbCalls.approveRevision, ({ body, caller }) => approveRevision(db, body, caller)),
  route(announcementVerbCalls.returnRevision, ({ body, caller }) => returnRevision(db, body, caller)),
  route(announcementVerbCalls.dropRevision, ({ body, caller }) => dropRevision(db, body, caller)),
  route(announcementVerbCalls.withdraw, ({ body, caller }) => withdrawAnnouncement(db, body, caller)),
  route(myAnnouncements.page, ({ query, actor }) => myAnnouncementPage(db, actor, query)),
  route(myAnnouncements.get, ({ query, actor }) => getMyAnnouncement(db, actor, query.id)),
  route(myAnnouncements.read, ({ body, actor }) => readAnnouncement(db, actor, body)),
  route(myAnnouncements.sign, ({ body, caller }) => signAnnouncement(db, body, caller)),
]
