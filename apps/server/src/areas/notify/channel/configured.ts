import type { DeliveryChannel } from '@tocsin/contract/notify/delivery'
import type { Db } from '#db/db'
import type { SettingKey } from '#settings/setting-definitions'
import { getSetting } from '#settings/settings-cache'

/** Settings that a channel cannot do without. A provider "console" needs no template. */
const needs: Record<Exclude<DeliveryChannel, 'INAPP'>, readonly SettingKey[]> = {
  SMS: ['sms.provider', 'sms.template-alarm'],
  VOICE: ['voice.provider', 'voice.template'],
  EMAIL: ['mail.smtp-url', 'mail.from'],
  WECOM_ROBOT: ['notify.wecom-url'],
  DINGTALK: ['notify.dingtalk-url'],
  FEISHU: ['notify.feishu-url'],
  WEBHOOK: ['notify.webhook-url', 'notify.webhook-secret'],
}

const isConfigured = async (db: Db, keys: readonly SettingKey[]): Promise<boolean> => {
  for (const key of keys) {
    const value = await getSetting(db, key)
    if (value === '') return false
    if (value === 'console') return true
  }
  return true
}

/** The channels that can send as of now; in-app messages need nothing. */
export const loadConfiguredChannels = async (db: Db): Promise<ReadonlySet<DeliveryChannel>> => {
  const usable = new Set<DeliveryChannel>(['INAPP'])
  for (const channel of Object.keys(needs) as (keyof typeof needs)[])
    if (await isConfigured(db, needs[channel])) usable.add(channel)
  return usable
}
