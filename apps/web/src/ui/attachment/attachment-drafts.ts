import type { StoredFileInfo } from '@tocsin/contract/files/file'

/** What a call takes of the value of an `AttachmentInput`. */
export const toAttachmentDrafts = (value: readonly StoredFileInfo[] | undefined): { fileId: number }[] =>
  (value ?? []).map(({ id: fileId }) => ({ fileId }))
