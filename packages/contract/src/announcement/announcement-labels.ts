import { announcementStateLabels } from '../codes/announcement-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { AnnouncementLogVerb, AnnouncementTarget, AnnouncementView, ReadState } from './announcement.ts'
import type { AnnouncementState, AnnouncementVerb, RevisionState } from './announcement-machine.ts'

const announcementState: EnumLabels<AnnouncementState> = announcementStateLabels

const revisionState: EnumLabels<RevisionState> = {
  DRAFT: ['修订草稿', 'Revision drafted'],
  PENDING_REVIEW: ['修订待审核', 'Revision for review'],
}

const announcementTarget: EnumLabels<AnnouncementTarget> = {
  ALL: ['全体人员', 'Everybody'],
  SCOPE: ['指定范围', 'Chosen scope'],
}

const announcementView: EnumLabels<AnnouncementView> = {
  MINE: ['我起草', 'Written by me'],
  TO_REVIEW: ['待我审核', 'For my review'],
}

const readState: EnumLabels<ReadState> = {
  UNREAD: ['未读', 'Unread'],
  CHANGED: ['有更新', 'Changed'],
  READ: ['已读', 'Read'],
  SIGNED: ['已签收', 'Signed back'],
}

const announcementVerb: EnumLabels<AnnouncementVerb> = {
  submit: ['送审', 'Submit for review'],
  approve: ['通过', 'Approve'],
  return: ['退回修改', 'Send back'],
  publish: ['发布', 'Publish'],
  schedule: ['定时发布', 'Schedule'],
  revise: ['修订', 'Revise'],
  submitRevision: ['修订送审', 'Submit the revision'],
  approveRevision: ['通过修订', 'Approve the revision'],
  returnRevision: ['退回修订', 'Send the revision back'],
  dropRevision: ['放弃修订', 'Drop the revision'],
  withdraw: ['撤回', 'Withdraw'],
}

/** Past tense, as the timeline reads. */
const announcementLogVerb: EnumLabels<AnnouncementLogVerb> = {
  create: ['起草', 'wrote it'],
  submit: ['送审', 'submitted it for review'],
  approve: ['审核通过', 'approved it'],
  return: ['退回修改', 'sent it back'],
  publish: ['发布', 'published it'],
  publishOnTime: ['定时发布', 'published it at the chosen time'],
  schedule: ['改定发布时间', 'changed the time of publication'],
  revise: ['修订', 'revised it'],
  submitRevision: ['修订送审', 'submitted the revision'],
  approveRevision: ['通过修订并发布', 'approved the revision, which is published'],
  returnRevision: ['退回修订', 'sent the revision back'],
  dropRevision: ['放弃修订', 'dropped the revision'],
  withdraw: ['撤回', 'withdrew it'],
  expire: ['到期', 'ended it at the end of its validity'],
  remind: ['提醒未读', 'reminded those who have not read it'],
}

/** Labels of announcements, on screens and in spreadsheets. */
export const announcementLabels = {
  announcementState,
  revisionState,
  announcementTarget,
  announcementView,
  readState,
  announcementVerb,
  announcementLogVerb,
}

export const announcementLabel = (kind: keyof typeof announcementLabels, value: string, lang: Lang): string =>
  lookupLabel(announcementLabels[kind], value, lang)
