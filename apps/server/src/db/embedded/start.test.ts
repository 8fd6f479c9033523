import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createEmbeddedFixture, queryRows, readStarted } from '../../../test/embedded-fixture.ts'
import { isPostmasterOf } from './postmaster.ts'

// Further kills are in apps/server/test/fault/embedded-start.fault.test.ts.
const { dataDir, start, spawnServer, stop, remove } = createEmbeddedFixture()

afterEach(stop)
afterAll(remove)

describe('startEmbeddedPostgres', () => {
  it('creates a durable database with checksums, Unicode and its roles, closed to other users', async () => {
    const running = await start()
    const rows = await queryRows(
      running.app,
      `select current_user as user, current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
        current_setting('server_encoding') as encoding, current_setting('listen_addresses') as tcp, datlocale as locale
       from pg_database where datname = current_database()`,
    )
    expect(rows).toEqual([
      { user: 'tocsin_app', fsync: 'on', checksums: 'on', encoding: 'UTF8', tcp: '', locale: 'C.UTF-8' },
    ])
    expect(await queryRows(running.owner, "select upper('école 学校') as upper")).toEqual([{ upper: 'ÉCOLE 学校' }])
    expect(statSync(running.app.host).mode & 0o777).toBe(0o700)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(Buffer.byteLength(join(running.app.host, '.s.PGSQL.5432'))).toBeLessThan(107)
  })

  it('keeps data over a stop and a second start, and leaves no socket behind', async () => {
    const before = await start()
    await queryRows(before.owner, 'create table kept (id int)')
    const { pid, app } = before
    const first = pid()
    await before.stop()
    expect(isPostmasterOf(first, join(dataDir, 'pg'))).toBe(false)
    expect(existsSync(app.host)).toBe(false)
    const running = await start()
    expect(await queryRows(running.owner, 'select count(*)::int from kept')).toEqual([{ count: 0 }])
  })

  it('rejects a second server on the same data directory without disturbing the first', async () => {
    const running = await start()
    await expect(start()).rejects.toThrow(`Another Tocsin server is already running on the data directory ${dataDir}.`)
    const second = spawnServer()
    if (!second.stderr) throw new Error('the child has no output')
    const [output, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')])
    expect({ code, output }).toEqual({
      code: 1,
      output: `Another Tocsin server is already running on the data directory ${dataDir}.\n`,
    })
    expect(await queryRows(running.app, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('uses the running PostgreSQL of a server that was killed', async () => {
    const server = spawnServer()
    const orphan = await readStarted(server)
    server.kill('SIGKILL')
    await once(server, 'exit')
    const running = await start()
    expect(running.pid()).toBe(orphan.pid)
    expect(running.app).toEqual(orphan.app)
    expect(await queryRows(running.app, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('restarts one it has started when it is killed, at the same address', async () => {
    const { app, owner, pid, onRestart } = await start()
    await queryRows(owner, 'create table kept_over_kill as select 1 as one')
    const before = pid()
    const restarted = new Promise<void>((done) => onRestart(done))
    process.kill(before, 'SIGKILL')
    await restarted
    expect(pid()).not.toBe(before)
    expect(await queryRows({ ...app, user: 'tocsin_owner' }, 'select one from kept_over_kill')).toEqual([{ one: 1 }])
  })

  it('stops PostgreSQL when the server is stopped normally', async () => {
    const server = spawnServer()
    const { pid, app } = await readStarted(server)
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    expect(isPostmasterOf(pid, join(dataDir, 'pg'))).toBe(false)
    expect(existsSync(app.host)).toBe(false)
  })
})
