import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Store } from '#store/store'

/** Where files lie, the key that signs their links, and where the worker writes sheets before they are kept. */
export type FileStoreConfig = { store: Store; linkKey: Uint8Array; sheets: string }

let place: FileStoreConfig | undefined

/** Said once by each process that touches files, like the zone of times: whoever keeps a file has only a transaction. */
export const configureFileStore = (given: FileStoreConfig): void => {
  place = given
}

export const getFileStore = (): FileStoreConfig => {
  if (!place) throw new Error('files have no place in this process: call placeFiles at its start')
  return place
}

const LINK_SECONDS = 600
/** Links end at whole minutes, so that a list read twice shows the same picture and not two. */
const STEP = 60

const signature = (id: number, expiry: number, userId: number): string =>
  createHmac('sha256', getFileStore().linkKey).update(`${id}.${expiry}.${userId}`).digest('base64url')

/** Links begin like this; the id follows. */
export const FILE_LINK_PREFIX = '/admin-api/infra/file/'

/** The address under which this user may fetch the file for the next ten minutes. */
export const fileLink = (id: number, userId: number): string => {
  const expiry = Math.ceil(Date.now() / 1000 / STEP) * STEP + LINK_SECONDS
  return `${FILE_LINK_PREFIX}${id}?e=${expiry}&u=${userId}&s=${signature(id, expiry, userId)}`
}

/** The same for what may be absent. */
export const optionalFileLink = (id: number | null, userId: number): string | null =>
  id === null ? null : fileLink(id, userId)

type Link = { id: number; e: number; u: number; s: string }

/** Seconds that a genuine link still lasts, 0 when it is over; undefined for one that was not signed here. */
export const verifyFileLink = ({ id, e, u, s }: Link): number | undefined => {
  const [given, wanted] = [Buffer.from(s), Buffer.from(signature(id, e, u))]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  return Math.max(0, e - Math.floor(Date.now() / 1000))
}
