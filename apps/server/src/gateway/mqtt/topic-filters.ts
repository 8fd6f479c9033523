import { type DeviceAddress, DOWN_CHANNELS, type DownChannel, downFilter, downTopic } from '@tocsin/protocol/topics'

/** The filters that reach one channel of a device. */
export const channelFilters = (device: DeviceAddress, channel: DownChannel): string[] => {
  const all = downFilter(device)
  return [all, `${all.slice(0, -1)}+`, downTopic(device, channel)]
}

/** All that a device may subscribe; literal, so $share, $SYS, foreign and overlong ones are simply not in it. */
export const allowedFilters = (device: DeviceAddress): string[] => [
  ...new Set(DOWN_CHANNELS.flatMap((channel) => channelFilters(device, channel))),
]
