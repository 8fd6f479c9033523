import { evidencePacks } from '@tocsin/contract/alarm/evidence-pack'
import { codes } from '@tocsin/contract/codes'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { readRecordDetail } from '#areas/alarm/record/detail'
import { linksOf } from '#areas/alarm/verify-chain'
import { writeAudit } from '#areas/audit/audit'
import { sealPendingRows } from '#areas/audit/log/seal'
import { getFileStore } from '#areas/files/file-store'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, type FileResponse, type Route, route } from '#http/route'
import { type ZipEntry, zipStream } from '#spreadsheet/zip'
import {
  AUDIT_FILE,
  DELIVERIES_FILE,
  FORMAT,
  MANIFEST_FILE,
  type Manifest,
  RECORD_FILE,
  TIMELINE_FILE,
} from './pack-format.ts'
import { readRecordAudit } from './read-audit.ts'

type Content = { name: string; bytes: Buffer }
type Attached = { id: number; name: string; sha256: string; size: number }

const toFile = (name: string, value: unknown): Content => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A file name holds no folder, so that an archive cannot write outside of the folder it is unpacked in. */
const packedName = (id: number, name: string): string => `attachments/${id}-${name.replaceAll(/[\p{Cc}\\/:]/gu, '_')}`

const readHead = async (db: Db, actor: Actor, id: number) => {
  const head = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select(['id', 'no', 'state', 'logCount', 'logHash'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!head) throw new BusinessError(codes.notFound, { what: '警情' })
  return { ...head, logHash: head.logHash.toString('hex') }
}

const readTimeline = async (db: Db, actor: Actor, id: number) => {
  const entries: Record<string, unknown>[] = []
  for await (const { at, prevHash, hash, ...entry } of linksOf(scoped(db, actor), id))
    entries.push({ ...entry, at: at.getTime(), prevHash: prevHash.toString('hex'), hash: hash.toString('hex') })
  return entries
}

/** Messages about the record and about the assignments that it caused. Addresses are stored masked. */
const readDeliveries = (db: Db, actor: Actor, id: number) => {
  const all = scoped(db, actor)
  const assigned = all.selectFrom('assignment').select('assignment.id').where('recordId', '=', id)
  return all
    .selectFrom('delivery')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('subjectType', '=', 'RECORD'), eb('subjectId', '=', id)]),
        eb.and([eb('subjectType', '=', 'ASSIGNMENT'), eb('subjectId', 'in', assigned)]),
      ]),
    )
    .orderBy('delivery.id')
    .execute()
}

const readAttached = async (db: Db, ids: readonly number[]): Promise<Attached[]> => {
  if (ids.length === 0) return []
  const rows = await unscoped(db, 'the record of the attachment is visible')
    .selectFrom('file')
    .select(['id', 'name', 'sha256', 'size'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, name: packedName(row.id, row.name), sha256: row.sha256.toString('hex') }))
}

/** All parts in one snapshot, so that they agree. */
const readParts = (db: Db, actor: Actor, id: number) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const head = await readHead(trx, actor, id)
      const { log: _log, attachments, ...detail } = await readRecordDetail(trx, actor, id)
      const timeline = await readTimeline(trx, actor, id)
      const audit = await readRecordAudit(trx, actor, id)
      const listed = attachments.map(({ url: _url, ...attachment }) => attachment)
      const files = [
        toFile(RECORD_FILE, { ...detail, attachments: listed, head }),
        toFile(TIMELINE_FILE, timeline),
        toFile(DELIVERIES_FILE, await readDeliveries(trx, actor, id)),
        toFile(AUDIT_FILE, audit),
      ]
      const attached = await readAttached(
        trx,
        listed.map(({ fileId }) => fileId),
      )
      return { head, files, attached, counts: { timelineEntries: timeline.length, auditRows: audit.rows.length } }
    })

async function* readAttachment({ id, name }: Attached): AsyncGenerator<Buffer> {
  const content = await getFileStore().store.get(id)
  if (!content) throw new Error(`the content of ${name} has gone`)
  for await (const chunk of content) yield Buffer.from(chunk as Uint8Array)
}

const splitMissing = async (attached: readonly Attached[]) => {
  const has = await Promise.all(attached.map(({ id }) => getFileStore().store.has(id)))
  return { kept: attached.filter((_, at) => has[at]), missing: attached.filter((_, at) => !has[at]) }
}

async function* entriesOf(files: readonly Content[], attached: readonly Attached[]): AsyncGenerator<ZipEntry> {
  for (const { name, bytes } of files) yield { name, content: [bytes] }
  for (const file of attached) yield { name: file.name, content: readAttachment(file) }
}

/** The evidence of one record as an archive. The audit keeps the hash of its manifest. */
export const makeEvidencePack = async (
  db: Db,
  caller: Caller,
  { id, version }: { id: number; version: string },
): Promise<FileResponse> => {
  const { actor } = caller
  // A refused call writes nothing, so the record is looked for before rows that wait for their seal get it.
  await readHead(db, actor, id)
  await sealPendingRows(db)
  const { head, files, attached, counts } = await readParts(db, actor, id)
  const { kept, missing } = await splitMissing(attached)
  const manifest: Manifest = {
    format: FORMAT,
    formatVersion: 1,
    version,
    madeAt: new Date().toISOString(),
    madeBy: { userId: actor.userId, username: actor.username, name: actor.nickname },
    record: { id, no: head.no },
    ...counts,
    missing: missing.map((file) => ({ name: file.name, sha256: file.sha256 })),
    files: [
      ...files.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length })),
      ...kept.map((file) => ({ name: file.name, sha256: file.sha256, size: file.size })),
    ],
  }
  const last = toFile(MANIFEST_FILE, manifest)
  await writeAudit(db, {
    ...caller,
    action: evidencePacks.export.permission,
    subject: 'warn_record',
    subjectId: id,
    after: { call: evidencePacks.export.path, filter: { id }, count: 1, ids: [id], manifest: sha256(last.bytes) },
  })
  const stream = Readable.from(zipStream(entriesOf([last, ...files], kept)))
  return { name: `${head.no}-evidence.zip`, type: 'application/zip', stream }
}

export const evidencePackRoutes = ({ db, version }: { db: Db; version: string }): Route[] => [
  route(evidencePacks.export, ({ query, caller }) => makeEvidencePack(db, caller, { id: query.id, version })),
]
