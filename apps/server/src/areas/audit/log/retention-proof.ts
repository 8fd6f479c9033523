import { createHmac } from 'node:crypto'
import { deriveKey } from '#db/master-key'
import type { Row } from '#db/tables'

/** The operation that removes old ones, on record like any other. */
export const AUDIT_RETENTION_ACTION = 'system:operate-log:age'

/** The key of `retentionProof`, from the master key: nothing in the database gives it away. */
export const retentionKey = (masterKey: Buffer): Buffer => deriveKey(masterKey, 'audit-removal')

/** What the server alone can say of a removal that ended with this seal; its hash fixes its place and time. */
export const retentionProof = (key: Uint8Array, { hash }: Pick<Row<'seal'>, 'hash'>): string =>
  createHmac('sha256', key).update(hash).digest('hex')
