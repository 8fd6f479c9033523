import { createHmac } from 'node:crypto'
import { deriveKey } from '#db/master-key'
import type { Row } from '#db/tables'

/** The audit action of a removal of old rows. */
export const AUDIT_RETENTION_ACTION = 'system:operate-log:age'

/** The key of `retentionProof`, derived from the master key: nothing in the database reveals it. */
export const retentionKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'audit-removal')

/** Proof by the server's key of a removal that ended with this seal; the seal's hash fixes its place and time. */
export const retentionProof = (key: Uint8Array, { hash }: Pick<Row<'seal'>, 'hash'>): string =>
  createHmac('sha256', key).update(hash).digest('hex')
