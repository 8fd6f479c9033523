import { AnnouncementLog, AnnouncementRow } from '@tocsin/contract/announcement/announcement'
import { Day, Id, Millis } from '@tocsin/contract/codecs'
import { OrderLog, StoredOrderNode, SupervisionOrder } from '@tocsin/contract/supervise/order'
import { StoredEvidence } from '@tocsin/contract/supervise/order-evidence'
import { z } from 'zod'
import { editedFilled, table } from './table.ts'

export const superviseTables = {
  // Reached through its parties, which have the visibility.
  superviseOrder: table(
    SupervisionOrder.extend({ nodes: z.array(StoredOrderNode), evidence: StoredEvidence.nullable() }),
    [...editedFilled, 'subjectType', 'assistDeptIds', 'state', 'nodes', 'extensionCount'],
    'open',
  ),
  superviseParty: table(
    z.strictObject({
      id: Id,
      orderId: Id,
      part: z.enum(['ISSUER', 'RESPONSIBLE', 'ASSIST']),
      deptId: Id.nullable(),
      schoolId: Id.nullable(),
      userId: Id.nullable(),
    }),
    ['id'],
    { school: 'school_id', dept: 'dept_id', user: 'user_id' },
  ),
  superviseOrderLog: table(OrderLog.omit({ userName: true, userAccount: true }), ['id', 'at'], 'open'),
  dailyNumber: table(z.strictObject({ kind: z.string(), day: Day, count: z.int() }), [], 'open'),
}

export const announcementTables = {
  announcement: table(
    AnnouncementRow.omit({ authorName: true, deptName: true, readCount: true, signedCount: true }).extend({
      content: z.string(),
      revisionTitle: z.string().nullable(),
      revisionContent: z.string().nullable(),
      revisionPinned: z.boolean().nullable(),
      revisionValidUntil: Millis.nullable(),
    }),
    [
      ...editedFilled,
      'pinned',
      'needsSign',
      'target',
      'deptIds',
      'schoolIds',
      'roleIds',
      'writerIds',
      'state',
      'edition',
      'audience',
    ],
    { dept: 'dept_id', user: 'author_id' },
  ),
  // Reached through the announcement, which has the visibility.
  announcementEdition: table(
    z.strictObject({
      announcementId: Id,
      edition: z.int(),
      title: z.string(),
      content: z.string(),
      publishedAt: Millis,
      textBy: Id,
      reviewedBy: Id,
    }),
    ['publishedAt'],
    'open',
  ),
  announcementReceipt: table(
    z.strictObject({
      announcementId: Id,
      userId: Id,
      edition: z.int(),
      readAt: Millis,
      signedAt: Millis.nullable(),
    }),
    ['readAt'],
    'open',
  ),
  announcementLog: table(AnnouncementLog.omit({ userName: true, userAccount: true }), ['id', 'at'], 'open'),
}
