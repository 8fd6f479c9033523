import type { StoredFileInfo } from '@tocsin/contract/files/file'

const kindOf = ({ type }: StoredFileInfo) => {
  if (type.startsWith('image/')) return 'PHOTO' as const
  return type.startsWith('audio/') ? ('VOICE' as const) : ('FILE' as const)
}

/** Files of a timeline entry, as lists of attachments show them. */
export const toAttachments = (files: readonly StoredFileInfo[]) =>
  files.map((file) => ({ ...file, kind: kindOf(file), note: null }))
