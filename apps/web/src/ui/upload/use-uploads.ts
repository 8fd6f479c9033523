import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { files } from '@tocsin/contract/files/file'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#api/call.ts'
import { ApiError, isTransient } from '#api/error.ts'
import { notify } from '#ui/notify.ts'
import { type UploadLimits, checkFile } from './limits.ts'
import { type Send, uploadQueue } from './queue.ts'

/** Uploads a file for a form; its owner must claim it within a day (DESIGN 5). */
export const sendDraft: Send = (file, signal, onProgress) =>
  upload(files.upload, { files: { file: [file] } }, { signal, onProgress })

export const sendToLibrary: Send = (file, signal, onProgress) =>
  upload(files.create, { files: { file: [file] } }, { signal, onProgress })

/** A rejection of the file is final; a network error, a full server or a rate limit may pass. */
const passes = (error: unknown): boolean =>
  isTransient(error) || (error instanceof ApiError && error.errors.length === 0 && error.code !== 403)

type Given = {
  value: readonly StoredFileInfo[]
  onChange: (value: StoredFileInfo[]) => void
  limits: UploadLimits
  send?: Send
}

/** The files of a field: finished ones are its value, the others are in progress. */
export const useUploads = ({ value, onChange, limits, send = sendDraft }: Given) => {
  const { t } = useTranslation()
  const [queue] = useState(() => uploadQueue({ send, passes }))
  useLayoutEffect(() => queue.deliverTo({ value, onChange }), [queue, value, onChange])
  const underWay = useSyncExternalStore(queue.watch, queue.items)
  const room = limits.count - value.length - underWay.filter(({ state }) => state !== 'refused').length
  const add = (given: readonly File[]) => {
    if (given.length > room) notify.warning(t('upload.tooMany', { count: limits.count }))
    queue.add(given.slice(0, Math.max(0, room)).map((file) => ({ file, error: checkFile(file, limits) })))
  }
  return { underWay, room, add, remove: queue.remove, retry: queue.retry, cancel: queue.cancel }
}
export type Uploads = ReturnType<typeof useUploads>
