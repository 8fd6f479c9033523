import { Id, Millis } from '@tocsin/contract/codecs'
import { attachmentKinds } from '@tocsin/contract/files/attachment'
import { filePurposes } from '@tocsin/contract/files/file'
import { z } from 'zod'
import { Bytes, table } from './table.ts'

const Seen = z.union([z.literal('all'), z.array(Id).readonly()])

export const fileTables = {
  file: table(
    z.strictObject({
      id: Id,
      name: z.string(),
      type: z.string(),
      size: z.int(),
      sha256: Bytes,
      image: z.boolean(),
      purpose: z.enum(filePurposes),
      ownerId: Id,
      ownerName: z.string(),
      deptId: Id.nullable(),
      needs: z.array(z.string()),
      sight: z.strictObject({ depts: Seen, schools: Seen }).nullable(),
      createdAt: Millis,
      expiresAt: Millis.nullable(),
    }),
    ['id', 'image', 'needs', 'sight', 'createdAt'],
    { dept: 'dept_id', user: 'owner_id' },
  ),
  fileUse: table(z.strictObject({ subject: z.string(), subjectId: Id, fileId: Id }), [], 'open'),
  // Reached through its owner, which has the visibility.
  attachment: table(
    z.strictObject({
      id: Id,
      ownerType: z.string(),
      ownerId: Id,
      fileId: Id,
      kind: z.enum(attachmentKinds),
      note: z.string().nullable(),
      takenAt: Millis.nullable(),
      createdBy: Id.nullable(),
      createdAt: Millis,
    }),
    ['id', 'createdAt'],
    'open',
  ),
}
