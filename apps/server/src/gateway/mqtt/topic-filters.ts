import { type DeviceAddress, DOWN_CHANNELS, type DownChannel, downFilter, downTopic } from '@tocsin/protocol/topics'

/** Subscription filters that match one channel of a device. */
export const channelFilters = (device: DeviceAddress, channel: DownChannel): string[] => {
  const all = downFilter(device)
  return [all, `${all.slice(0, -1)}+`, downTopic(device, channel)]
}

/** All filters that a device may subscribe to. The list is literal, so it excludes $share, $SYS and foreign topics. */
export const allowedFilters = (device: DeviceAddress): string[] => [
  ...new Set(DOWN_CHANNELS.flatMap((channel) => channelFilters(device, channel))),
]
