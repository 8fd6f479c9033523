import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { isPostmasterOf } from '../../src/db/embedded/postmaster.ts'
import { createEmbeddedFixture, queryRows, readStarted } from '../embedded-fixture.ts'

const { dataDir, start, spawnServer, stop, remove } = createEmbeddedFixture()

afterEach(stop)
afterAll(remove)

describe('startEmbeddedPostgres', () => {
  it('starts a new process when PostgreSQL died with the killed server', async () => {
    const server = spawnServer()
    const { pid } = await readStarted(server)
    server.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await once(server, 'exit')
    const running = await start()
    expect(running.pid()).not.toBe(pid)
    expect(await queryRows(running.app, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('restarts one it has adopted when it is killed, at the same address', async () => {
    const server = spawnServer()
    await readStarted(server)
    server.kill('SIGKILL')
    await once(server, 'exit')
    const { app, owner, pid, onRestart } = await start()
    await queryRows(owner, 'create table kept_by_adopted as select 1 as one')
    const before = pid()
    const restarted = new Promise<void>((done) => onRestart(done))
    process.kill(before, 'SIGKILL')
    await restarted
    expect(pid()).not.toBe(before)
    expect(await queryRows({ ...app, user: 'tocsin_owner' }, 'select one from kept_by_adopted')).toEqual([{ one: 1 }])
  })

  it('ends a process that is alive but unresponsive, and starts another at the same address', async () => {
    const { app, owner, pid, onRestart } = await start({ silenceMs: 4000 })
    await queryRows(owner, 'create table kept_by_frozen as select 1 as one')
    const before = pid()
    const restarted = new Promise<void>((done) => onRestart(done))
    // Ending it takes 15 s, because PostgreSQL is probed twice before.
    process.kill(before, 'SIGSTOP')
    await restarted
    expect(isPostmasterOf(before, join(dataDir, 'pg'))).toBe(false)
    expect(pid()).not.toBe(before)
    expect(await queryRows({ ...app, user: 'tocsin_owner' }, 'select one from kept_by_frozen')).toEqual([{ one: 1 }])
  })

  it('is back at the same address after the socket folder was removed', async () => {
    const { app, onRestart } = await start({ silenceMs: 2000 })
    const restarted = new Promise<void>((done) => onRestart(done))
    rmSync(app.host, { recursive: true })
    await restarted
    expect(await queryRows(app, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(app.host).mode & 0o777).toBe(0o700)
  })
})
