import { z } from 'zod'

const Hex = z.string().regex(/^([0-9a-f]{2})*$/)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const MANIFEST_FILE = 'manifest.json'
export const RECORD_FILE = 'record.json'
export const TIMELINE_FILE = 'timeline.json'
export const DELIVERIES_FILE = 'deliveries.json'
export const AUDIT_FILE = 'audit.json'
export const FORMAT = 'tocsin-evidence'

export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  formatVersion: z.literal(1),
  version: z.string(),
  madeAt: z.iso.datetime(),
  madeBy: z.strictObject({ userId: z.int(), username: z.string(), name: z.string() }),
  record: z.strictObject({ id: z.int(), no: z.string() }),
  timelineEntries: z.int(),
  auditRows: z.int(),
  /** Attachments whose content the store no longer has. */
  missing: z.array(z.strictObject({ name: z.string(), sha256: Sha256 })),
  files: z.array(z.strictObject({ name: z.string(), sha256: Sha256, size: z.int().min(0) })),
})
export type Manifest = z.output<typeof Manifest>

/** The record with the end of its log: number and hash of the last entry. */
export const PackedRecord = z.looseObject({
  head: z.strictObject({ id: z.int(), no: z.string(), state: z.string(), logCount: z.int(), logHash: Hex }),
})

/** A row of `warn_log`; `at` in epoch ms, because that is what was hashed. */
export const PackedLog = z.array(
  z.looseObject({ recordId: z.int(), no: z.int(), at: z.int(), prevHash: Hex, hash: Hex }),
)

/** Rows of the operation log, and the seals that hold them with the hashes of all their rows. */
export const PackedAudit = z.strictObject({
  rows: z.array(
    z.looseObject({
      id: z.int(),
      at: z.int(),
      subject: z.string(),
      subjectId: z.int(),
      seal: z.int().nullable(),
      hash: Hex,
    }),
  ),
  /** Rows about the record whose content the maker may not see. */
  withheld: z.array(z.strictObject({ id: z.int(), hash: Hex })),
  seals: z.array(
    z.strictObject({
      seq: z.int(),
      kind: z.string(),
      at: z.int(),
      root: Hex,
      prevHash: Hex,
      hash: Hex,
      rows: z.array(z.tuple([z.int(), Hex])),
    }),
  ),
})
export type PackedAudit = z.output<typeof PackedAudit>
