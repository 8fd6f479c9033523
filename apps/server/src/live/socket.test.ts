import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { openLivePage, type LivePage } from '../../test/live-page.ts'
import { live, type LiveServer, makeActor, startLiveServer } from '../../test/live-server.ts'
import { createStorageStatus } from '#db/storage/storage-status'
import { isOriginAllowed } from './socket.ts'

let database: TestDatabase
let server: LiveServer

const isEvent = (type: string, ref: number) => (frame: LivePage['frames'][number]) =>
  frame.type === type && 'data' in frame && frame.data.ref === ref

/** A signed-in page shows that the server works. */
const serves = async () => {
  const page = await server.page('desk')
  page.ws.close()
  await page.ended
}

beforeAll(async () => {
  database = await cloneDatabase()
  server = await startLiveServer(database, { limits: { beatMs: 100 }, origin: 'https://alarm.example' })
  server.bearers.set('desk', live(makeActor({ userId: 1, schools: [11] })))
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

describe('the Origin of a socket', () => {
  it('is the requested host or the configured one', async () => {
    const configured = await openLivePage({ port: server.port, origin: 'https://alarm.example' })
    configured.ws.close()
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', 'https://alarm.example.evil.example'])
      await expect(openLivePage({ port: server.port, origin })).rejects.toThrow('refused with 403')
    await serves()
  })

  it('is required, and compared with its port', () => {
    expect(isOriginAllowed(undefined, 'a.example', undefined)).toBe(false)
    expect(isOriginAllowed('https://a.example', 'a.example', undefined)).toBe(true)
    expect(isOriginAllowed('https://A.example', 'a.EXAMPLE', undefined)).toBe(true)
    expect(isOriginAllowed('http://a.example:8080', 'a.example:8080', undefined)).toBe(true)
    expect(isOriginAllowed('http://a.example:8080', 'a.example', undefined)).toBe(false)
    expect(isOriginAllowed('file://a.example', 'a.example', undefined)).toBe(false)
    expect(isOriginAllowed('https://b.example', undefined, 'https://b.example')).toBe(true)
  })
})

describe('an upgrade', () => {
  it.each(['/nowhere', '/admin-api/infra/nowhere'])('is answered 404 at %s, where no socket is', async (path) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`)
    socket.on('error', () => undefined)
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(404)
    socket.terminate()
    await serves()
  })
})

describe('the first frame', () => {
  const endOf = async (...frames: Parameters<LivePage['say']>[0][]) => {
    const page = await openLivePage({ port: server.port })
    for (const frame of frames) page.say(frame)
    return page.ended
  }

  it('is a token within the limit, else the socket closes', async () => {
    const hasty = await startLiveServer(database, { limits: { authMs: 50 } })
    const silent = await openLivePage({ port: hasty.port })
    expect(await silent.ended).toBe(4401)
    await hasty.stop()
    expect(await endOf({ type: 'auth', token: 'unknown' })).toBe(4401)
    server.bearers.set('killed', { kind: 'killed', reason: 'DISABLED' })
    expect(await endOf({ type: 'auth', token: 'killed' })).toBe(4403)
    expect(await endOf({ type: 'beat', n: 1, renew: [], shown: [], sounded: [] })).toBe(4400)
  })

  it('is awaited by a limited number of sockets, in all and per address, until they authenticate', async () => {
    const small = await startLiveServer(database, { limits: { waiting: 3, waitingEach: 2 } })
    small.bearers.set('desk', live(makeActor({ userId: 1 })))
    const open = (from: string) => openLivePage({ port: small.port, from })
    const first = await open('127.0.0.1')
    const second = await open('127.0.0.1')
    await expect(open('127.0.0.1')).rejects.toThrow('refused with 429')
    first.say({ type: 'auth', token: 'desk' })
    await first.until(({ type }) => type === 'ready')
    await open('127.0.0.1')
    await open('127.0.0.2')
    await expect(open('127.0.0.3')).rejects.toThrow('refused with 429')
    second.ws.close()
    await second.ended
    await expect
      .poll(() =>
        open('127.0.0.3').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    first.ws.close()
    await first.ended
    await expect(open('127.0.0.4')).rejects.toThrow('refused with 429')
    await small.stop()
  })

  it('closes only its own socket when it is invalid', async () => {
    const bad = [
      'hello',
      '{"type":"auth"',
      '{"type":"auth","token":1}',
      '{"type":"auth","token":"desk","since":-1}',
      '{"type":"auth","token":"desk","admin":true}',
      '[]',
      'null',
      '',
      Buffer.from([0, 255]),
    ]
    for (const frame of bad) expect(await endOf(frame)).toBe(4400)
    const tooMany = { type: 'beat' as const, n: 1, renew: Array<number>(201).fill(1), shown: [], sounded: [] }
    expect(await endOf({ type: 'auth', token: 'desk' }, tooMany)).toBe(4400)
    expect(await endOf('x'.repeat(64 * 1024 + 1))).toBe(1009)
    await serves()
  })

  it('is rejected while the password must be changed', async () => {
    server.bearers.set('new', live(makeActor({ userId: 9 }), { mustChangePassword: true }))
    const page = await openLivePage({ port: server.port })
    page.say({ type: 'auth', token: 'new' })
    expect(await page.ended).toBe(4401)
    expect(page.frames).toEqual([{ type: 'refused', code: 1_002_000_012 }])
  })

  it('may follow "ping", which is answered at any time', async () => {
    const page = await openLivePage({ port: server.port })
    page.say('ping')
    await expect.poll(() => page.texts).toEqual(['pong'])
    page.say({ type: 'auth', token: 'desk' })
    await page.until(({ type }) => type === 'ready')
    page.say('ping')
    await expect.poll(() => page.texts.filter((text) => text === 'pong')).toHaveLength(2)
    page.ws.close()
  })

  it('is limited to 20 sockets of one user', async () => {
    server.bearers.set('many', live(makeActor({ userId: 8 })))
    const pages = await Promise.all(Array.from({ length: 20 }, () => server.page('many')))
    const more = await openLivePage({ port: server.port })
    more.say({ type: 'auth', token: 'many' })
    expect(await more.ended).toBe(4429)
    const [first] = pages
    first?.ws.close()
    await first?.ended
    const again = await vi.waitFor(() => server.page('many'), { timeout: 20_000 })
    for (const { ws } of [...pages, again]) ws.close()
  })
})

describe('a token', () => {
  it('is outlived by a minute, unless the page sends a new one', async () => {
    const actor = makeActor({ userId: 10 })
    /** A page whose token expired so long ago that three seconds are left from now. */
    const old = () => {
      server.bearers.set('old', live(actor, { expiresAt: new Date(Date.now() - 57_000) }))
      return server.page('old')
    }
    server.bearers.set('fresh', live(actor))
    server.bearers.set('foreign', live(makeActor({ userId: 11 })))
    const renewed = await old()
    renewed.say({ type: 'auth', token: 'fresh' })
    const quiet = await old()
    const swapped = await old()
    await expect.poll(() => renewed.frames.filter(({ type }) => type === 'ready')).toHaveLength(2)
    swapped.say({ type: 'auth', token: 'foreign' })
    expect(await swapped.ended).toBe(4401)
    expect(await quiet.ended).toBe(4401)
    await server.commit({ type: 'dict.changed', ref: 70 })
    await renewed.until(isEvent('dict.changed', 70))
    renewed.ws.close()
  })
})

describe('heartbeats', () => {
  it('carry the last event number, and report what the page renews, displayed and sounded', async () => {
    const page = await server.page('desk')
    const beat = await page.until(({ type }) => type === 'beat')
    expect(beat).toEqual({ type: 'beat', n: expect.any(Number), seq: server.hub.lastSeq() })
    page.say({ type: 'beat', n: 1, renew: [5], shown: [5, 6], sounded: [6] })
    await expect.poll(() => server.beats).toHaveLength(1)
    expect(server.beats[0]).toMatchObject({ actor: { userId: 1 }, renew: [5], shown: [5, 6], sounded: [6] })
    page.ws.close()
  })

  it('say at once since when alarms cannot be stored, and that they can again', async () => {
    const storage = createStorageStatus()
    const slow = await startLiveServer(database, { storage, limits: { beatMs: 60_000 } })
    slow.bearers.set('desk', live(makeActor({ userId: 1 })))
    const page = await slow.page('desk')
    storage.failed(Object.assign(new Error('disk full'), { code: '53100' }))
    const beat = await page.until(({ type }) => type === 'beat')
    expect(beat).toMatchObject({ notStoredSince: storage.failingSince() })
    storage.stored()
    const beats = () => page.frames.filter(({ type }) => type === 'beat')
    await expect.poll(beats).toHaveLength(2)
    expect(beats()[1]).not.toHaveProperty('notStoredSince')
    page.ws.close()
    await slow.stop()
  })

  it('renew no lease of a locked session', async () => {
    server.bearers.set('locked', live(makeActor({ userId: 12 }), { locked: true }))
    const page = await server.page('locked')
    page.say({ type: 'beat', n: 1, renew: [777], shown: [], sounded: [] })
    page.say({ type: 'auth', token: 'locked' })
    await expect.poll(() => page.frames.filter(({ type }) => type === 'ready')).toHaveLength(2)
    expect(server.beats.filter(({ renew }) => renew.includes(777))).toEqual([])
    page.ws.close()
  })

  it('disconnect a page whose computer no longer answers', async () => {
    const page = await server.page('desk')
    page.ws.pause()
    await expect.poll(server.clients).toHaveLength(0)
    page.ws.resume()
    expect(await page.ended).toBe(1006)
  })
})

describe('a server that stops', () => {
  it('announces it, so that pages reconnect at once', async () => {
    const other = await startLiveServer(database)
    other.bearers.set('desk', live(makeActor({ userId: 1 })))
    const page = await other.page('desk')
    const unknown = await openLivePage({ port: other.port })
    await other.stop()
    expect(await page.ended).toBe(1012)
    expect(await unknown.ended).toBe(1012)
  })

  it('opens no socket on other paths', async () => {
    const ws = new WebSocket(`ws://127.0.0.1:${server.port}/admin-api/other`)
    const status = await new Promise((resolve) => {
      ws.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      ws.on('error', resolve)
    })
    expect(status).toBe(404)
  })
})
