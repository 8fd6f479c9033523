import type { AlarmCode, Press } from '@tocsin/protocol/alarm'
import type { Command } from '@tocsin/protocol/command'
import { DeviceConfig } from '@tocsin/protocol/config'
import { type DownMessage, decodeDown } from '@tocsin/protocol/decode'
import type { DeviceEvent, EventKind } from '@tocsin/protocol/event'
import { Counter, type DeviceMode } from '@tocsin/protocol/message-header'
import { createCommandHandler, type Outcome, reportUpdate } from './commands.ts'
import type { UnsentEvent } from './unsent-store.ts'
import { type DownlinkChannel, type LinkOptions, createLink } from './link.ts'
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts'
import type { Random } from './random.ts'
import { createHash } from 'node:crypto'
import type { DeviceAddress } from '@tocsin/protocol/topics'
import type { TickScheduler, Task } from './tick-scheduler.ts'
import type { Heartbeat } from '@tocsin/protocol/heartbeat'

type HeartbeatTimer = {
  /** Seconds between heartbeats; 0 stops them. */
  set(everySec: number): void
  stop(): void
}

/** The first heartbeat comes at a random time within the interval, so that the heartbeats of a fleet are spread. */
const createHeartbeatTimer = (wheel: TickScheduler, random: Random, beat: () => void): HeartbeatTimer => {
  let task: Task | null = null
  const plan = (ms: number, everySec: number): void => {
    task = wheel.after(ms, () => {
      beat()
      plan(everySec * 1_000, everySec)
    })
  }
  return {
    set: (everySec) => {
      task?.cancel()
      if (everySec > 0) plan(random() * everySec * 1_000, everySec)
    },
    stop: () => task?.cancel(),
  }
}

/** Realistic readings of a device on mains power. */
const readings = (random: Random): Pick<Heartbeat, 'battery' | 'rssi' | 'temp'> => ({
  battery: 90 + Math.floor(random() * 11),
  rssi: -50 - Math.floor(random() * 30),
  temp: 20 + Math.round(random() * 100) / 10,
})

/** The device's own data: counters, clock and settings. */
type DeviceState = {
  boot(): number
  cfgVer: number
  /** With the number of the last event, for heartbeats and births. */
  stamp(): { v: 1; boot: number; seq: number; ts: number; upMs: number }
  /** For a new event: the next number, and an id that no other event of this device ever has. */
  nextStamp(): { v: 1; boot: number; seq: number; ts: number; upMs: number; eventId: string }
  restart(): void
}

const createDeviceState = (address: DeviceAddress, firstBoot: number, wheel: TickScheduler): DeviceState => {
  const mark = createHash('sha256').update(`${address.productKey}/${address.sn}`).digest('hex').slice(0, 8)
  let boot = firstBoot
  let bootAt = wheel.now()
  let seq = 0
  const stamp = () => ({ v: 1 as const, boot, seq, ts: Date.now(), upMs: Math.round(wheel.now() - bootAt) })
  return {
    boot: () => boot,
    cfgVer: 0,
    stamp,
    nextStamp: () => {
      seq += 1
      const eventId = `E${boot.toString(36).padStart(8, '0')}-${seq.toString(36).padStart(5, '0')}-${mark}`
      return { ...stamp(), eventId }
    },
    restart: () => {
      boot += 1
      bootAt = wheel.now()
      seq = 0
    },
  }
}

export type PressOptions = { code?: AlarmCode; mode?: DeviceMode; press?: Press; zone?: string }
export type EventOptions = Partial<Pick<DeviceEvent, 'mode' | 'zone' | 'fault' | 'passed' | 'detail'>>
export type Pressed = { sn: string; eventId: string }

export type DeviceSettings = OutboxOptions &
  Pick<LinkOptions, 'mqtt' | 'ca' | 'keepaliveSec' | 'reconnect'> & {
    /** Seconds between heartbeats; 0 sends none. */
    heartbeatSec: number
    /** Number of starts; must be larger than in any earlier run, or the platform treats new presses as old ones. */
    boot: number
    /** For reconnects and heartbeats; separate from `random`, so that network timing does not change a seeded run. */
    jitter: Random
    onCommand?: ((sn: string, command: Command) => void) | undefined
    /** The error of every update; without it updates succeed. */
    updateFailure?: string | undefined
  }

export type Device = {
  sn: string
  /** Resolves after the first attempt; the device keeps trying by itself. */
  connect(): Promise<void>
  connected(): boolean
  /** null when the store is full: counted, and not in the ledger. */
  press(options?: PressOptions): Pressed | null
  event(kind: EventKind, options?: EventOptions): Pressed | null
  unsent(): number
  /** Loses the link without DISCONNECT, like by a pulled plug; reconnects by itself. */
  cut(): void
  /** Restarts: the boot counter grows, seq begins again. */
  reboot(): void
  stop(): Promise<void>
}

const FIRMWARE = '2.4.1'
const CAPABILITIES = ['siren', 'led', 'twoWayAudio']
/** Long enough for the reply to a REBOOT to be sent. */
const REBOOT_AFTER_MS = 1_000

export const createDevice = (settings: DeviceSettings): Device => {
  const { address, wheel, jitter, tally, updateFailure: failure } = settings
  const self = createDeviceState(address, settings.boot, wheel)
  const outbox = createOutbox(settings, () => link)
  const link = createLink({
    ...settings,
    random: jitter,
    will: () => ({ online: false, boot: self.boot() }),
    onUp: () => {
      const { boot, ts, upMs } = self.stamp()
      link.publish('state', { online: true, boot, fw: FIRMWARE, caps: CAPABILITIES, ts, upMs })
      outbox.resume()
    },
    onMessage: (channel, bytes) => receive[channel](bytes),
  })
  const heart = createHeartbeatTimer(wheel, jitter, () => {
    const beat = { ...self.stamp(), ...readings(jitter), cfgVer: self.cfgVer, fw: FIRMWARE, unsent: outbox.unsent() }
    if (link.publish('hb', beat)) tally.heartbeats += 1
  })
  const device: Device = {
    sn: address.sn,
    connect: async () => {
      heart.set(settings.heartbeatSec)
      await link.open()
    },
    connected: link.up,
    ...buttons(settings, self, outbox),
    unsent: outbox.unsent,
    cut: link.cut,
    reboot: () => {
      self.restart()
      link.cut()
      device.event('BOOT')
    },
    stop: async () => {
      heart.stop()
      outbox.stop()
      await link.close()
    },
  }
  const configure = ({ cfgVer, config }: DeviceConfig): void => {
    self.cfgVer = cfgVer
    const everySec = Counter.safeParse(config['heartbeatSec'])
    if (everySec.success) heart.set(everySec.data)
  }
  const desk = createCommandHandler({
    wheel,
    wallNow: Date.now,
    reply: (reply) => void link.publish('reply', reply),
    carryOut: (command) =>
      carryOut(command, device, {
        configure,
        rebootSoon: () => wheel.after(REBOOT_AFTER_MS, device.reboot),
        update: () => reportUpdate(command, { wheel, failure, publish: (progress) => link.publish('ota', progress) }),
      }),
  })
  const receive = inbox(settings, { outbox, desk, configure })
  return device
}

const buttons = (
  { address, tally }: DeviceSettings,
  self: DeviceState,
  outbox: Outbox,
): Pick<Device, 'press' | 'event'> => {
  const submit = (make: () => UnsentEvent): Pressed | null => {
    if (!outbox.hasRoom()) {
      tally.flashFull += 1
      return null
    }
    const kept = make()
    tally.pressed += 1
    outbox.submit(kept)
    return { sn: address.sn, eventId: kept.message.eventId }
  }
  return {
    press: ({ code = 'PANIC', mode = 'LIVE', ...more } = {}) =>
      submit(() => ({ channel: 'alarm', message: { ...self.nextStamp(), mode, code, ...more } })),
    event: (kind, { mode = 'LIVE', ...more } = {}) =>
      submit(() => ({ channel: 'event', message: { ...self.nextStamp(), mode, kind, ...more } })),
  }
}

type Configure = (wanted: DeviceConfig) => void
type Insides = { outbox: Outbox; desk: ReturnType<typeof createCommandHandler>; configure: Configure }

const inbox = (
  { address, tally, onCommand }: DeviceSettings,
  { outbox, desk, configure }: Insides,
): Record<DownlinkChannel, (bytes: Uint8Array) => void> => {
  const on =
    <C extends DownlinkChannel>(channel: C, act: (message: DownMessage[C]) => void) =>
    (bytes: Uint8Array): void => {
      const decoded = decodeDown(channel, bytes)
      if (decoded.ok) act(decoded.message)
      else tally.undecodable += 1
    }
  return {
    ack: on('ack', outbox.receive),
    config: on('config', configure),
    cmd: on('cmd', (command) => {
      tally.commands += 1
      onCommand?.(address.sn, command)
      desk.take(command)
    }),
  }
}

type Actions = { configure: Configure; rebootSoon: () => void; update: () => boolean }

const carryOut = (command: Command, device: Device, { configure, rebootSoon, update }: Actions): Outcome => {
  const { type, payload } = command
  if (type === 'SELF_TEST') {
    const tested = device.event('SELF_TEST', { mode: 'TEST', passed: true })
    return { state: 'SUCCEEDED', result: { passed: true, ...(tested && { eventId: tested.eventId }) } }
  }
  if (type === 'PLAY_TTS' && (typeof payload['text'] !== 'string' || payload['text'] === '')) {
    return { state: 'FAILED', result: { reason: 'TEXT_MISSING' } }
  }
  if (type === 'SET_CONFIG') {
    const wanted = DeviceConfig.safeParse(payload)
    if (!wanted.success) return { state: 'FAILED', result: { reason: 'CONFIG_WRONG' } }
    configure(wanted.data)
  }
  if (type === 'LISTEN' || type === 'TALK_START') {
    const isOn = payload['on'] !== false
    return { state: 'SUCCEEDED', result: { audio: isOn ? 'ON' : 'OFF', ...(isOn && { seconds: payload['seconds'] }) } }
  }
  if (type === 'TALK_STOP') return { state: 'SUCCEEDED', result: { audio: 'OFF' } }
  if (type === 'REBOOT') rebootSoon()
  if (type === 'UPDATE' && !update()) return { state: 'FAILED', result: { reason: 'UPDATE_WRONG' } }
  return { state: 'SUCCEEDED', result: {} }
}
