import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { field } from '../field.ts'
import { StoredFileInfo } from './file.ts'

export const attachmentKinds = ['PHOTO', 'VOICE', 'FILE'] as const
export type AttachmentKind = (typeof attachmentKinds)[number]

export const MAX_ATTACHMENTS = 20

/** An uploaded file of the caller to attach to an owner (a log entry, an order, a text). */
export const AttachmentDraft = z.strictObject({
  fileId: field(Id, '文件', 'File'),
  note: field(z.string().trim().max(200).nullable().optional(), '说明', 'Note'),
  takenAt: field(Millis.nullable().optional(), '拍摄时间', 'Taken'),
})
export type AttachmentDraft = z.output<typeof AttachmentDraft>

/** The body field of attachments. */
export const attachmentDrafts = field(z.array(AttachmentDraft).max(MAX_ATTACHMENTS).optional(), '附件', 'Attachments')

/** For a reader of its owner; `url` is valid for that reader for ten minutes. */
export const AttachmentInfo = StoredFileInfo.omit({ id: true }).extend({
  id: field(Id, '编号', 'Id'),
  fileId: field(Id, '文件', 'File'),
  kind: field(z.enum(attachmentKinds), '类型', 'Kind'),
  note: field(z.string().nullable(), '说明', 'Note'),
  takenAt: field(Millis.nullable(), '拍摄时间', 'Taken'),
  createdBy: field(Id.nullable(), '上传人编号', 'Added by'),
  createdAt: field(Millis, '上传时间', 'Added'),
})
export type AttachmentInfo = z.output<typeof AttachmentInfo>

export const attachmentList = field(z.array(AttachmentInfo), '附件', 'Attachments')
