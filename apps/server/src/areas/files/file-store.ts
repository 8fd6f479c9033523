import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Store } from '#store/store'

/** Where files are stored, the key that signs their links, and the folder in which the worker writes spreadsheets. */
export type FileStoreConfig = { store: Store; linkKey: Uint8Array; sheets: string }

let place: FileStoreConfig | undefined

/**
 * Set once by each process that uses files, like the time zone: functions that store a file have only a transaction.
 */
export const configureFileStore = (given: FileStoreConfig): void => {
  place = given
}

export const getFileStore = (): FileStoreConfig => {
  if (!place) throw new Error('files have no place in this process: call placeFiles at its start')
  return place
}

const LINK_SECONDS = 600
/** Links expire at whole minutes, so that a list loaded twice shows the same picture URL. */
const STEP = 60

const signature = (id: number, expiry: number, userId: number): string =>
  createHmac('sha256', getFileStore().linkKey).update(`${id}.${expiry}.${userId}`).digest('base64url')

/** Prefix of links, before the id. */
export const FILE_LINK_PREFIX = '/admin-api/infra/file/'

/** The address under which this user may download the file for the next ten minutes. */
export const fileLink = (id: number, userId: number): string => {
  const expiry = Math.ceil(Date.now() / 1000 / STEP) * STEP + LINK_SECONDS
  return `${FILE_LINK_PREFIX}${id}?e=${expiry}&u=${userId}&s=${signature(id, expiry, userId)}`
}

/** Signs links that devices open: they have no account. */
export const DEVICE_READER = 0

export const deviceFileLink = (id: number): string => fileLink(id, DEVICE_READER)

/** The same for an optional file. */
export const optionalFileLink = (id: number | null, userId: number): string | null =>
  id === null ? null : fileLink(id, userId)

type Link = { id: number; e: number; u: number; s: string }

/** Seconds until a signed link expires, 0 when it has expired; undefined when the signature is not ours. */
export const verifyFileLink = ({ id, e, u, s }: Link): number | undefined => {
  const [given, wanted] = [Buffer.from(s), Buffer.from(signature(id, e, u))]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  return Math.max(0, e - Math.floor(Date.now() / 1000))
}
