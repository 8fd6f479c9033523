import pg from 'pg'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { calls } from '../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { verifyLog } from './verify-chain.ts'

let world: AlarmFixture
let owner: pg.Client
beforeAll(async () => {
  world = await openAlarmFixture()
  owner = new pg.Client(world.database.owner)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await world.end()
})
beforeEach(() => owner.query('truncate warn_record, warn_log, signal, warn_sighting restart identity cascade'))

const worked = async () => {
  const record = await makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id })
  const claimed = await calls.claim(world.db, world.zhang, record)
  await calls.dispatch(world.db, world.zhang, claimed)
  return record
}

it('accepts complete logs', async () => {
  await worked()
  await worked()
  expect(await verifyLog(world.db)).toEqual({ records: 2, broken: undefined })
})

it.each([
  ['CONTENT', 2, `update warn_log set payload = '{"takenOver": true}' where record_id = $1 and no = 2`],
  ['CONTENT', 3, `update warn_log set at = at - interval '1 minute' where record_id = $1 and no = 3`],
  ['CONTENT', 1, `update warn_log set actor_name = 'nobody' where record_id = $1 and no = 1`],
  ['PREVIOUS', 2, `update warn_log set prev_hash = decode(md5('x'), 'hex') where record_id = $1 and no = 2`],
  ['MISSING', 2, 'delete from warn_log where record_id = $1 and no = 2'],
  ['MISSING', 3, 'delete from warn_log where record_id = $1 and no = 3'],
  ['HEAD', 3, `update warn_record set log_hash = decode(md5('x'), 'hex') where id = $1`],
  ['STATE', 3, `update warn_record set state = 'CLOSED' where id = $1`],
] as const)('finds the first broken link: %s at entry %i', async (reason, no, forgery) => {
  await worked()
  const record = await worked()
  await worked()
  await owner.query(forgery, [record.id])
  expect(await verifyLog(world.db)).toEqual({ records: 1, broken: { record: record.no, no, reason } })
})

const program = join(import.meta.dirname, '../../verify-log.ts')

const runProgram = async (given: NodeJS.ProcessEnv) => {
  const run = spawn(process.execPath, [program], {
    env: { ...process.env, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: Buffer[] = []
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
  const [code] = await once(run, 'close')
  return { code, text: Buffer.concat(printed).toString() }
}

const verifyProgram = () => {
  const { host, port, user, database } = world.database.app
  const url = `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`
  return runProgram({ DATABASE_URL: url, TOCSIN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') })
}

it('npm run verify-log prints the first broken link and exits with 1', async () => {
  const record = await worked()
  expect(await verifyProgram()).toEqual({
    code: 0,
    text: 'The logs of 1 records are whole.\nThe audit is whole: 0 rows in 0 seals.\n',
  })
  await owner.query('delete from warn_log where record_id = $1 and no = 2', [record.id])
  const { code, text } = await verifyProgram()
  expect(code).toBe(1)
  expect(text).toBe(`Broken: record ${record.no}, entry 2: an entry is missing.\n`)
})

it('npm run verify-log creates no database where there is none, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-none-'))
  try {
    const { code, text } = await runProgram({ TOCSIN_DATA: folder })
    expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/^There is no database in .+\n$/) })
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
