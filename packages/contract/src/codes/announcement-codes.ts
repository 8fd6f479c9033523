import { type Code, code } from './code.ts'

/** The states of an announcement; here, because error messages name them too. */
export const announcementStateLabels = {
  DRAFT: ['草稿', 'Draft'],
  PENDING_REVIEW: ['待审核', 'For review'],
  SCHEDULED: ['定时发布', 'Scheduled'],
  PUBLISHED: ['已发布', 'Published'],
  EXPIRED: ['已到期', 'Expired'],
  WITHDRAWN: ['已撤回', 'Withdrawn'],
} as const

/** Of announcements, part of `codes`. */
export const announcementCodes = {
  announcementState: {
    ...code(1_008_002_000, '公告处于「{state}」，不能执行该操作', 'Not possible while the announcement is “{state}”'),
    words: { state: announcementStateLabels },
  },
  announcementReviewer: code(
    1_008_002_001,
    '起草、修改或送审公告的人不能审核，须由另一人审核',
    'Another person must review it: not the author, nor a person who changed or submitted it',
  ),
  announcementNobody: code(
    1_008_002_002,
    '所选范围内没有可接收的人员，请调整范围',
    'Nobody is in the chosen scope: change the scope',
  ),
  announcementBeyond: code(
    1_008_002_003,
    '只能发给本人可见范围内的部门和学校',
    'The scope may only name departments and schools that you see',
  ),
  announcementRevision: code(
    1_008_002_004,
    '修订的状态已变化，不能执行该操作',
    'Not possible in the present state of the revision',
  ),
  announcementReminded: code(
    1_008_002_005,
    '今天已提醒过，每天最多提醒一次',
    'The reminder was sent today; it can be sent once a day',
  ),
  announcementAllRead: code(1_008_002_006, '所有人都已阅读并签收', 'Everybody has read and signed it back'),
  announcementChanged: code(
    1_008_002_007,
    '公告已有更新，请阅读新内容后再签收',
    'The announcement has changed: read the new text, then sign it back',
  ),
  announcementNoSign: code(1_008_002_008, '该公告不需要签收', 'This announcement asks for no signature'),
} satisfies Record<string, Code>
