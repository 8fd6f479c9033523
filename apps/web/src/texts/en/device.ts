import type { SameKeys } from '../same-keys.ts'
import type { device as zh } from '../zh-cn/device.ts'

export const device: SameKeys<typeof zh> = {
  known: 'Registered devices',
  strangers: 'Refused devices',
  noDevices: 'No devices yet. They appear here once registered.',
  noStrangers: 'No device was refused',
  noModels: 'No device models yet',
  noInstallations: 'No installed devices yet',
  flapping: 'Flapping',
  network: 'Network state',
  identity: 'Device file',
  abilities: 'Capabilities and commands',
  mounting: 'Mounting',
  days: 'About {count} d',
}
