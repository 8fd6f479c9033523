import { z } from 'zod'

/** Device protocol 3.2. The prefix contains the version, so that a later version can use other topics. */
export const PREFIX = 'ax/v1'

export const ProductKey = z.string().regex(/^[0-9A-Za-z]{6,20}$/)
export const Sn = z.string().regex(/^[0-9A-Za-z_-]{4,40}$/)

/** In every message to a gateway for one of its children: the child's sn. Without it the message is for the gateway. */
export const childAddress = { sn: Sn.optional() }

/** A device's identity on the wire: MQTT username and X-Dev are `{productKey}/{sn}`, the MQTT clientId is `sn`. */
export type DeviceAddress = { productKey: string; sn: string }

export const UP_CHANNELS = ['alarm', 'event', 'hb', 'state', 'reply', 'ota', 'media', 'sub'] as const
export type UpChannel = (typeof UP_CHANNELS)[number]

export const DOWN_CHANNELS = ['ack', 'cmd', 'config', 'time', 'error'] as const
export type DownChannel = (typeof DOWN_CHANNELS)[number]

/** Filter for all uplinks of all devices. */
export const ALL_UP = `${PREFIX}/+/+/up/+`

/** 3.2: only heartbeats, the clock and errors may be lost; everything else is delivered at least once. */
export const qosOf = (channel: UpChannel | DownChannel): 0 | 1 =>
  channel === 'hb' || channel === 'time' || channel === 'error' ? 0 : 1

export const isUpChannel = (text: string | undefined): text is UpChannel =>
  UP_CHANNELS.some((channel) => channel === text)
export const isDownChannel = (text: string | undefined): text is DownChannel =>
  DOWN_CHANNELS.some((channel) => channel === text)

export const upTopic = (address: DeviceAddress, channel: UpChannel): string => `${root(address)}/up/${channel}`
export const downTopic = (address: DeviceAddress, channel: DownChannel): string => `${root(address)}/down/${channel}`

/** A device may subscribe to this filter or to single channels below it, and to nothing else. */
export const downFilter = (address: DeviceAddress): string => `${root(address)}/down/#`

export const usernameOf = (address: DeviceAddress): string => {
  demand(address)
  return `${address.productKey}/${address.sn}`
}

/** `{productKey}/{sn}` from an MQTT username or an X-Dev header; null for anything else. */
export const parseUsername = (text: string): DeviceAddress | null => {
  const [productKey, sn, rest] = text.split('/')
  return rest === undefined ? addressOf(productKey, sn) : null
}

export const parseUp = (topic: string): (DeviceAddress & { channel: UpChannel }) | null => {
  const [address, direction, channel] = split(topic)
  return address && direction === 'up' && isUpChannel(channel) ? { ...address, channel } : null
}

export const parseDown = (topic: string): (DeviceAddress & { channel: DownChannel }) | null => {
  const [address, direction, channel] = split(topic)
  return address && direction === 'down' && isDownChannel(channel) ? { ...address, channel } : null
}

const root = (address: DeviceAddress): string => `${PREFIX}/${usernameOf(address)}`

const addressOf = (productKey: string | undefined, sn: string | undefined): DeviceAddress | null => {
  const address = { productKey: productKey ?? '', sn: sn ?? '' }
  return wrongPart(address) ? null : address
}

const split = (topic: string): [DeviceAddress | null, string?, string?] => {
  const [ax, version, productKey, sn, direction, channel, ...rest] = topic.split('/')
  if (`${ax}/${version}` !== PREFIX || rest.length > 0) return [null]
  return [addressOf(productKey, sn), direction ?? '', channel ?? '']
}

const wrongPart = (address: DeviceAddress): 'productKey' | 'sn' | null => {
  if (!ProductKey.safeParse(address.productKey).success) return 'productKey'
  return Sn.safeParse(address.sn).success ? null : 'sn'
}

/** A wildcard or a slash in an address would reach other devices' topics, so building rejects what parsing would. */
const demand = (address: DeviceAddress): void => {
  const wrong = wrongPart(address)
  if (wrong) throw new RangeError(`${wrong} is not valid: ${JSON.stringify(address[wrong])}`)
}
