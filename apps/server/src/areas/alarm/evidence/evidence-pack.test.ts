import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { calls } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { configureFileStore } from '#areas/files/file-store'
import { storeServerFile } from '#areas/files/store-file'
import type { Actor } from '#http/route'
import { zipStream } from '#spreadsheet/zip'
import { listZipEntries, readZipEntry } from '#spreadsheet/zip-entries'
import { folderStore } from '#store/folder'
import { makeEvidencePack } from './make-pack.ts'
import { verifyPack } from './verify-pack.ts'

type Files = Map<string, Buffer>

let fixture: AlarmFixture
let folder: string
let recordId: number
let pack: Buffer

const makePack = async (actor: Actor): Promise<Buffer> => {
  const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 'pack' }
  const { stream } = await makeEvidencePack(fixture.db, { actor, origin }, { id: recordId, version: '1.0.0' })
  return buffer(stream)
}

const unpack = (bytes: Buffer): Files =>
  new Map((listZipEntries(bytes) ?? []).map((entry) => [entry.name, readZipEntry(bytes, entry)]))

const repack = (files: Files): Promise<Buffer> => {
  async function* entries() {
    for (const [name, content] of files) yield { name, content: [content] }
  }
  return buffer(Readable.from(zipStream(entries())))
}

type Edit = (content: never) => unknown

/** The pack with one file changed, and the manifest made to fit like a forger would. */
const forge = async (name: string, edit: Edit): Promise<Buffer> => {
  const files = unpack(pack)
  const changed = edit(JSON.parse(String(files.get(name))) as never)
  const bytes = Buffer.from(JSON.stringify(changed))
  files.set(name, bytes)
  const manifest = JSON.parse(String(files.get('manifest.json')))
  for (const file of manifest.files)
    if (file.name === name) {
      file.size = bytes.length
      file.sha256 = createHash('sha256').update(bytes).digest('hex')
    }
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  return repack(files)
}

beforeAll(async () => {
  fixture = await openAlarmFixture()
  folder = mkdtempSync(join(tmpdir(), 'tocsin-pack-'))
  configureFileStore({ store: folderStore(join(folder, 'files')), linkKey: Buffer.alloc(32), sheets: folder })
  const record = await makeRecord(fixture.db, { deptId: fixture.first.deptId, schoolId: fixture.first.id })
  recordId = record.id
  await calls.dispatch(fixture.db, fixture.zhang, await calls.claim(fixture.db, fixture.zhang, record))
  const path = join(folder, 'photo')
  writeFileSync(path, 'content')
  const owner = fixture.zhang.userId
  const file = { path, name: '../gate.txt', type: 'text/plain', size: 7, owner, purpose: 'DRAFT' } as const
  const fileId = await storeServerFile(fixture.db, file)
  await fixture.all
    .insertInto('attachment')
    .values({
      ownerType: 'warn_record',
      ownerId: recordId,
      fileId,
      kind: 'FILE',
      note: null,
      takenAt: null,
      createdBy: owner,
    })
    .execute()
  await makePack(fixture.zhang)
  await makePack(fixture.zhang)
  pack = await makePack(fixture.zhang)
})
afterAll(async () => {
  await fixture.end()
  rmSync(folder, { recursive: true, force: true })
})

it('holds the parts of the record and agrees with its manifest, whose hash the audit keeps', async () => {
  const files = unpack(pack)
  const attachment = [...files.keys()].find((name) => name.startsWith('attachments/'))
  expect(attachment).toMatch(/^attachments\/\d+-\.\._gate\.txt$/)
  expect([...files.keys()].toSorted()).toEqual(
    ['audit.json', attachment, 'deliveries.json', 'manifest.json', 'record.json', 'timeline.json'].toSorted(),
  )
  const result = verifyPack(pack)
  expect(result).toMatchObject({ manifest: { timelineEntries: 3, auditRows: 2, version: '1.0.0' }, unsealed: 0 })
  const row = await fixture.all
    .selectFrom('auditLog')
    .select('after')
    .where('action', '=', 'warn:record:evidence')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(row.after).toMatchObject({ manifest: 'manifestSha256' in result && result.manifestSha256 })
})

it('is refused for a record out of sight, which leaves no file', async () => {
  const stranger = { ...fixture.zhang, schools: [], depts: [] }
  await expect(makePack(stranger)).rejects.toThrow()
})

it('shows a changed, a removed and an added file', async () => {
  const files = unpack(pack)
  const changed = new Map(files).set('deliveries.json', Buffer.from('[1]'))
  expect(verifyPack(await repack(changed))).toEqual({ broken: { file: 'deliveries.json', reason: 'FILE' } })
  const removed = new Map(files)
  removed.delete('deliveries.json')
  expect(verifyPack(await repack(removed))).toEqual({ broken: { file: 'deliveries.json', reason: 'FILE_MISSING' } })
  const added = new Map(files).set('more.txt', Buffer.from('more'))
  expect(verifyPack(await repack(added))).toEqual({ broken: { file: 'more.txt', reason: 'FILE_EXTRA' } })
  expect(verifyPack(Buffer.from('no archive'))).toEqual({ broken: { file: 'zip', reason: 'UNREADABLE' } })
})

type Entry = Record<string, unknown> & { no: number; id: number }
type Rows = { rows: Entry[] }

it.each<[string, string, Edit, object]>([
  [
    'a changed entry',
    'timeline.json',
    (log: Entry[]) => log.with(1, { ...log[1], actorName: 'x' } as Entry),
    { entry: 2, reason: 'CONTENT' },
  ],
  ['a removed entry', 'timeline.json', (log: Entry[]) => log.toSpliced(1, 1), { entry: 2, reason: 'MISSING' }],
  ['a removed last entry', 'timeline.json', (log: Entry[]) => log.slice(0, -1), { entry: 3, reason: 'MISSING' }],
  [
    'an inserted entry',
    'timeline.json',
    (log: Entry[]) => log.toSpliced(1, 0, log[1] as Entry),
    { entry: 3, reason: 'MISSING' },
  ],
  [
    'a changed row',
    'audit.json',
    (audit: Rows) => ({ ...audit, rows: audit.rows.map((row) => ({ ...row, username: 'x' })) }),
    { reason: 'ROW' },
  ],
  [
    'a removed row',
    'audit.json',
    (audit: Rows) => ({ ...audit, rows: audit.rows.slice(1) }),
    { reason: 'ROW_MISSING' },
  ],
  [
    'an inserted row',
    'audit.json',
    (audit: Rows) => ({ ...audit, rows: [...audit.rows, { ...audit.rows[0], id: 999 }] }),
    { row: 999, reason: 'ROW_EXTRA' },
  ],
])('shows %s although the manifest fits', async (_, name, edit, broken) => {
  expect(verifyPack(await forge(name, edit))).toMatchObject({ broken })
})

it('is checked by npm run verify-log without a database or a configuration', async () => {
  const program = join(import.meta.dirname, '../../../verify-log.ts')
  const run = (bytes: Buffer) => {
    const path = join(folder, 'pack.zip')
    writeFileSync(path, bytes)
    const { status, stdout } = spawnSync(process.execPath, [program, '--pack', path], {
      env: { PATH: process.env['PATH'], DATABASE_URL: 'not a database' },
      encoding: 'utf8',
    })
    return { status, stdout }
  }
  expect(run(pack)).toMatchObject({ status: 0, stdout: expect.stringContaining('agrees with its manifest') })
  const forged = await forge('timeline.json', (log: Entry[]) => log.toSpliced(1, 1))
  expect(run(forged)).toEqual({ status: 1, stdout: 'Broken: timeline, entry 2: an entry is missing.\n' })
})
