import { describe, expect, it, vi } from 'vitest'
import { backoffMs, type Deps, LiveClient } from '../live/client.ts'
import { createEventDispatcher } from '../live/dispatcher.ts'
import { createRefetcher } from '../live/refetcher.ts'
import { jittered } from '../live/jitter.ts'
import { staleResources } from '../live/stale-resources.ts'
import { eventTypes } from '@tocsin/contract/live'

/** WebSocket of the browser; the test is the server. */
class Line extends EventTarget {
  readonly OPEN = 1
  readyState = 1
  readonly sent: unknown[] = []
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.readyState = 3
  }
  open() {
    this.dispatchEvent(new Event('open'))
  }
  say(frame: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
  end(code: number, reason = '') {
    this.readyState = 3
    this.dispatchEvent(new CloseEvent('close', { code, reason }))
  }
}

const setUp = (over: Partial<Deps> = {}) => {
  const lines: Line[] = []
  const items: string[] = []
  const timers = new Map<string, number | null>()
  const client = new LiveClient({
    open: () => {
      const line = new Line()
      lines.push(line)
      // Line implements the part of WebSocket that the client uses.
      return line as unknown as WebSocket
    },
    token: () => 't1',
    renew: async () => 't2',
    signedOut: (why) => void items.push(`signed out ${why}`),
    timer: (name, ms) => void timers.set(name, ms),
    status: (status) => void items.push(JSON.stringify(status)),
    beat: () => ({ renew: [1], shown: [2], sounded: [] }),
    event: ({ type }) => void items.push(type),
    reread: () => void items.push('reread'),
    retry: () => void items.push('retry'),
    ...over,
  })
  client.start()
  const ready = (seq: number) => {
    lines.at(-1)?.open()
    lines.at(-1)?.say({ type: 'ready', seq, locked: false })
  }
  return { client, lines, told: items, timers, ready }
}

describe('the live connection', () => {
  it('authenticates first and is live only after the answer, with everything read again', () => {
    const { lines, told, ready } = setUp()
    expect(told).toEqual([])
    ready(40)
    expect(lines[0]?.sent).toEqual([{ type: 'auth', token: 't1' }])
    expect(told).toEqual(['{"locked":false}', '{"live":true}', 'reread'])
  })

  it('answers a beat at once with what the page renews, shows and sounds, and retries failed reads', () => {
    const { lines, told, ready } = setUp()
    ready(1)
    expect(told).not.toContain('retry')
    lines[0]?.say({ type: 'beat', n: 9 })
    expect(told).toContain('retry')
    expect(lines[0]?.sent.at(-1)).toEqual({ type: 'beat', n: 9, renew: [1], shown: [2], sounded: [] })
  })

  it('says once since when alarms are not stored, and when they are again', () => {
    const { lines, told, ready } = setUp()
    ready(1)
    for (const notStoredSince of [1000, 1000, undefined]) lines[0]?.say({ type: 'beat', n: 1, notStoredSince })
    expect(told.filter((line) => line.includes('notStored') || line === '{}')).toEqual([
      '{"notStoredSince":1000}',
      '{}',
    ])
  })

  it('is not live after silence, reconnects, and asks for what it missed', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1000 })
    const { client, lines, told, timers, ready } = setUp()
    ready(40)
    vi.setSystemTime(5000)
    lines[0]?.say({ type: 'beat', n: 1 })
    lines[0]?.say({ type: 'alarm.raised', id: 44, at: 1, data: { ref: 3, schoolId: 1 } })
    vi.setSystemTime(30_000)
    client.elapsed('silent')
    vi.useRealTimers()
    // Since the last frame, and not since the timeout: the screen says so at once.
    expect(told.at(-1)).toBe('{"live":false,"since":5000}')
    expect(timers.get('again')).toBeGreaterThan(0)
    client.elapsed('again')
    ready(50)
    expect(lines[1]?.sent[0]).toEqual({ type: 'auth', token: 't1', since: 44 })
    expect(told.at(-1)).toBe('reread')
  })

  it('is not live after this computer slept, whatever the connection looks like', () => {
    const { client, told, timers, ready } = setUp()
    ready(40)
    client.elapsed('slept')
    expect(JSON.parse(told.at(-1) ?? '')).toEqual({ live: false, since: expect.any(Number) })
    expect(timers.get('again')).toBeGreaterThan(0)
    client.elapsed('again')
    ready(50)
    expect(told.at(-1)).toBe('reread')
  })

  it('renews the token after 4401 before it reconnects', async () => {
    const renewed: unknown[] = []
    const { lines, ready } = setUp({
      renew: async (refused) => {
        renewed.push(refused)
        return 't2'
      },
    })
    ready(1)
    lines[0]?.end(4401)
    await Promise.resolve()
    await Promise.resolve()
    expect(renewed).toEqual(['t1'])
    expect(lines).toHaveLength(2)
  })

  it.each([
    ['KICKED', 'KICKED'],
    ['by a newer server', undefined],
  ])('signs out on 4403, with the reason it knows (%s), and does not come back', (given, why) => {
    const { lines, told, timers, ready } = setUp()
    ready(1)
    lines[0]?.end(4403, given)
    expect(told.at(-1)).toBe(`signed out ${why}`)
    expect(timers.has('again')).toBe(false)
  })

  it('sends an open socket the renewed token without reading everything again', () => {
    const { client, lines, told, ready } = setUp()
    ready(7)
    client.renewed('t2')
    expect(lines[0]?.sent.at(-1)).toEqual({ type: 'auth', token: 't2', since: 7 })
    lines[0]?.say({ type: 'ready', seq: 7, locked: false })
    expect(told.filter((item) => item === 'reread')).toHaveLength(1)
  })

  it('subscribes to its topics once it is live, on each connection', () => {
    const { client, lines, timers, ready } = setUp({ topics: ['demo'] })
    ready(1)
    const topic = { type: 'topic', name: 'demo', follow: true }
    expect(lines[0]?.sent.slice(1)).toEqual([topic])
    lines[0]?.say({ type: 'ready', seq: 1, locked: false })
    expect(lines[0]?.sent).toHaveLength(2)
    lines[0]?.end(1012)
    expect(timers.has('again')).toBe(true)
    client.elapsed('again')
    ready(1)
    expect(lines[1]?.sent.slice(1)).toEqual([topic])
  })

  it('reads everything again on resync, and ignores unknown frames', () => {
    const { lines, told, ready } = setUp()
    ready(1)
    lines[0]?.say({ type: 'from.the.future' })
    lines[0]?.say({ type: 'resync', seq: 90 })
    expect(told.filter((item) => item === 'reread')).toHaveLength(2)
  })

  it('waits 0.5 to 15 seconds before it reconnects', () => {
    expect([backoffMs(0, 0), backoffMs(0, 1), backoffMs(30, 1)]).toEqual([250, 500, 15_000])
  })
})

it('reports more records than fit into one frame in several, each once', () => {
  const many = Array.from({ length: 450 }, (_, i) => i + 1)
  const { lines, ready } = setUp({ beat: () => ({ renew: [1], shown: [2, 2], sounded: [...many, 7] }) })
  ready(1)
  lines[0]?.say({ type: 'beat', n: 9 })
  expect(lines[0]?.sent.slice(1)).toEqual([
    { type: 'beat', n: 9, renew: [1], shown: [2], sounded: many.slice(0, 200) },
    { type: 'beat', n: 9, renew: [], shown: [], sounded: many.slice(200, 400) },
    { type: 'beat', n: 9, renew: [], shown: [], sounded: many.slice(400) },
  ])
})

describe('refetching', () => {
  it('runs one read at a time and one more after the last of many events', async () => {
    const begun: (() => void)[] = []
    const touch = createRefetcher(() => new Promise<void>((resolve) => begun.push(resolve)))
    const done = touch('/warn/record')
    void touch('/warn/record')
    void touch('/warn/record')
    expect(begun).toHaveLength(1)
    begun[0]?.()
    await expect.poll(() => begun.length).toBe(2)
    begun[1]?.()
    await done
    expect(begun).toHaveLength(2)
  })

  it('reads once more after an event although the read before it never ends, with a longer timeout', async () => {
    vi.useFakeTimers()
    const begun: (() => void)[] = []
    const touch = createRefetcher(() => new Promise<void>((resolve) => begun.push(resolve)))
    const done = touch('/warn/record')
    void touch('/warn/record')
    await vi.advanceTimersByTimeAsync(7_000)
    expect(begun).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toHaveLength(2)
    void touch('/warn/record')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(begun).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toHaveLength(3)
    begun[2]?.()
    await done
    vi.useRealTimers()
  })

  it('reads also where a sound failed, and calls the other listeners', () => {
    const read: string[] = []
    const report = vi.fn()
    const { listen, dispatch } = createEventDispatcher({ reread: (name) => void read.push(name), report })
    const broken = new Error('no sound')
    listen('alarm.again', () => {
      throw broken
    })
    const received = vi.fn()
    const end = listen('alarm.again', received)
    listen('alarm.raised', received)
    dispatch({ type: 'alarm.again', id: 3, at: 0, data: { ref: 7, schoolId: 1 } })
    expect(received).toHaveBeenCalledTimes(1)
    expect(report).toHaveBeenCalledExactlyOnceWith(broken)
    expect(read).toEqual(staleResources['alarm.again'])
    end()
    dispatch({ type: 'alarm.again', id: 4, at: 0, data: { ref: 7, schoolId: 1 } })
    expect(received).toHaveBeenCalledTimes(1)
  })

  it('spreads events for everybody over two seconds, except the queue of alarms', () => {
    const set: number[] = []
    const [now, rest] = [vi.fn(), vi.fn()]
    const begin = (ms: number) => void set.push(ms)
    const chances = [0, 0.75]
    const chance = () => chances.shift() ?? expect.unreachable()
    const { call, elapsed } = jittered({ now, rest, begin, chance })
    call()
    call()
    expect([set, now.mock.calls.length, rest.mock.calls.length]).toEqual([[0], 2, 0])
    elapsed()
    expect(rest).toHaveBeenCalledOnce()
    call()
    expect(now).toHaveBeenCalledTimes(3)
    expect(set).toEqual([0, 1500])
  })

  it('reads the plan of a floor again when a device or the school changes', () => {
    for (const type of ['device.status', 'device.changed', 'school.changed'] as const)
      expect(staleResources[type]).toContain('/school/floor-plan')
  })

  it('reads all devices of the map once in a pause when many events arrive', () => {
    vi.useFakeTimers()
    const read: string[] = []
    const { dispatch } = createEventDispatcher({ reread: (name) => void read.push(name), report: vi.fn() })
    const devicesRead = () => read.filter((name) => name === '/insight/map-device').length
    const changeDevice = (id: number) => dispatch({ type: 'device.status', id, at: 0, data: { ref: id, schoolId: 1 } })
    for (const id of [1, 2, 3]) changeDevice(id)
    expect([devicesRead(), read.length > 0]).toEqual([0, true])
    vi.advanceTimersByTime(10_000)
    expect(devicesRead()).toBe(1)
    changeDevice(4)
    vi.advanceTimersByTime(10_000)
    expect(devicesRead()).toBe(2)
    vi.useRealTimers()
  })

  it('reads the list of an entity again when one of its rows changed', () => {
    const read: string[] = []
    const { dispatch } = createEventDispatcher({ reread: (name) => void read.push(name), report: vi.fn() })
    dispatch({ type: 'row', of: '/police/kiosk', id: 1, at: 0, data: { ref: 7, schoolId: null } })
    expect(read).toEqual(['/police/kiosk'])
  })

  it('has stale resources for every event', () => {
    for (const type of eventTypes) expect(staleResources[type].length).toBeGreaterThan(0)
  })
})
