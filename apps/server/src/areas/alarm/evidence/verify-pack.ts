import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { auditHash } from '#areas/audit/audit'
import { sealHash, sealRoot } from '#areas/audit/log/seal'
import { followChain, type ChainBreak, type Head, type Link } from '#areas/alarm/verify-chain'
import { listZipEntries, readZipEntry } from '#spreadsheet/zip-entries'
import {
  AUDIT_FILE,
  MANIFEST_FILE,
  Manifest,
  PackedAudit,
  PackedLog,
  PackedRecord,
  RECORD_FILE,
  TIMELINE_FILE,
} from './pack-format.ts'

/** The first part of a pack that differs from what was written. */
export type PackBreak =
  | { file: string; reason: 'UNREADABLE' | 'FILE_MISSING' | 'FILE_EXTRA' | 'FILE' }
  | { entry: number; reason: ChainBreak['reason'] }
  | { row: number; reason: 'ROW' | 'ROW_EXTRA' | 'ROW_MISSING' }
  | { seal: number; reason: 'SEAL' | 'PREVIOUS' }

export type VerifiedPack = { manifest: Manifest; manifestSha256: string; unsealed: number; seals: PackedAudit['seals'] }

class Broken extends Error {
  readonly found: PackBreak
  constructor(found: PackBreak) {
    super(found.reason)
    this.found = found
  }
}
const fail = (found: PackBreak): never => {
  throw new Broken(found)
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

type Files = Map<string, () => Buffer>

const openFiles = (bytes: Uint8Array): Files => {
  const entries = listZipEntries(bytes) ?? fail({ file: 'zip', reason: 'UNREADABLE' })
  const files: Files = new Map()
  for (const entry of entries) {
    if (files.has(entry.name)) fail({ file: entry.name, reason: 'FILE_EXTRA' })
    files.set(entry.name, () => readZipEntry(bytes, entry))
  }
  return files
}

const readFile = (files: Files, file: string): Buffer => {
  const read = files.get(file) ?? fail({ file, reason: 'FILE_MISSING' })
  try {
    return read()
  } catch {
    return fail({ file, reason: 'UNREADABLE' })
  }
}

const parseFile = <S extends z.ZodType>(files: Files, file: string, schema: S): z.output<S> => {
  const bytes = readFile(files, file)
  try {
    return schema.parse(JSON.parse(bytes.toString()))
  } catch {
    return fail({ file, reason: 'UNREADABLE' })
  }
}

const checkFiles = (files: Files, manifest: Manifest): void => {
  const listed = new Set([MANIFEST_FILE, ...manifest.files.map(({ name }) => name)])
  for (const { name, sha256: hash, size } of manifest.files) {
    const bytes = readFile(files, name)
    if (bytes.length !== size || sha256(bytes) !== hash) fail({ file: name, reason: 'FILE' })
  }
  for (const name of files.keys()) if (!listed.has(name)) fail({ file: name, reason: 'FILE_EXTRA' })
}

const checkTimeline = (files: Files, manifest: Manifest): void => {
  const { head } = parseFile(files, RECORD_FILE, PackedRecord)
  if (head.id !== manifest.record.id || head.no !== manifest.record.no) fail({ file: RECORD_FILE, reason: 'FILE' })
  const chain = followChain()
  for (const { at, prevHash, hash, ...entry } of parseFile(files, TIMELINE_FILE, PackedLog)) {
    if (entry.recordId !== head.id) fail({ entry: entry.no, reason: 'CONTENT' })
    const link = { ...entry, at: new Date(at), prevHash: Buffer.from(prevHash, 'hex'), hash: Buffer.from(hash, 'hex') }
    // The hash covers every field of the entry: a wrong one is found by it.
    const reason = chain.link(link as unknown as Link)
    if (reason) fail({ entry: chain.at(), reason })
  }
  const reason = chain.end({ ...head, logHash: Buffer.from(head.logHash, 'hex') } as Head)
  if (reason) fail({ entry: chain.at(), reason })
}

const checkSeals = (seals: PackedAudit['seals']): void => {
  let before: PackedAudit['seals'][number] | undefined
  for (const seal of seals) {
    const { seq, kind, at, root, prevHash, hash } = seal
    const rows = seal.rows.map(([id, text]) => ({ id, hash: Buffer.from(text, 'hex') }))
    const [rootBytes, prevBytes] = [Buffer.from(root, 'hex'), Buffer.from(prevHash, 'hex')]
    const rowIds = rows.map(({ id }) => id)
    const wanted = sealHash({ seq, kind, at: new Date(at), rowIds, root: rootBytes, prevHash: prevBytes })
    if (!sealRoot(rows).equals(rootBytes) || wanted.toString('hex') !== hash) fail({ seal: seq, reason: 'SEAL' })
    const isNext = before !== undefined && seq === before.seq + 1
    if ((isNext && prevHash !== before?.hash) || (before && seq <= before.seq)) fail({ seal: seq, reason: 'PREVIOUS' })
    before = seal
  }
}

/** @returns how many rows are in no seal yet */
const checkAudit = (files: Files, manifest: Manifest): { unsealed: number; seals: PackedAudit['seals'] } => {
  const { rows, withheld, seals } = parseFile(files, AUDIT_FILE, PackedAudit)
  checkSeals(seals)
  const sealed = new Map(
    seals.flatMap(({ seq, rows: held }) => held.map(([id, hash]) => [id, `${seq} ${hash}`] as const)),
  )
  const seen = new Set<number>()
  for (const { id, hash, seal, at, ...row } of rows) {
    const isWhole = auditHash({ ...row, at: new Date(at) }).toString('hex') === hash
    if (!isWhole || row.subject !== 'warn_record') fail({ row: id, reason: 'ROW' })
    const isOther =
      row.subjectId !== manifest.record.id || (sealed.get(id) ?? null) !== (seal === null ? null : `${seal} ${hash}`)
    if (seen.has(id) || isOther) fail({ row: id, reason: 'ROW_EXTRA' })
    seen.add(id)
  }
  for (const { id, hash } of withheld) {
    const text = sealed.get(id)
    if (text !== undefined && !text.endsWith(` ${hash}`)) fail({ row: id, reason: 'ROW_EXTRA' })
  }
  if (rows.length !== manifest.auditRows) fail({ row: rows.length + 1, reason: 'ROW_MISSING' })
  return { unsealed: rows.filter(({ seal }) => seal === null).length, seals }
}

/** Checks the files against the manifest, the log against the record, and the operations against their seals. */
export const verifyPack = (bytes: Uint8Array): VerifiedPack | { broken: PackBreak } => {
  try {
    const files = openFiles(bytes)
    const manifest = parseFile(files, MANIFEST_FILE, Manifest)
    checkFiles(files, manifest)
    checkTimeline(files, manifest)
    const audit = checkAudit(files, manifest)
    return { manifest, manifestSha256: sha256(readFile(files, MANIFEST_FILE)), ...audit }
  } catch (error) {
    if (error instanceof Broken) return { broken: error.found }
    throw error
  }
}
