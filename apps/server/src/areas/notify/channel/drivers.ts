import type { DeliveryChannel } from '@tocsin/contract/notify/delivery'
import { deliverMail } from '#areas/access/outbound/mail'
import { PermanentDeliveryError } from '#areas/access/outbound/provider-call'
import { type DeliveryDeps, deliverTemplateSms } from '#areas/access/outbound/sms'
import { decryptSetting } from '#settings/secret-setting'
import type { SettingKey } from '#settings/setting-definitions'
import type { OutgoingMessage, ProviderReceipt } from './message.ts'
import { type RobotAccount, sendToDingtalk, sendToFeishu, sendToWecom } from './robots.ts'
import { deliverVoice } from './voice.ts'
import { sendToWebhook } from './webhook.ts'

type Driver = (deps: DeliveryDeps, message: OutgoingMessage) => Promise<ProviderReceipt>

const addressOf = ({ to }: OutgoingMessage): string => {
  if (to === null) throw new PermanentDeliveryError('the account has no such address any more')
  return to
}

const paramsOf = ({ title, body }: OutgoingMessage) => ({ title, body })

const robot =
  (
    urlKey: SettingKey,
    secretKey: SettingKey | null,
    send: (account: RobotAccount, message: OutgoingMessage) => Promise<ProviderReceipt>,
  ): Driver =>
  async ({ db, settingKey }, message) => {
    const url = await decryptSetting(db, settingKey, urlKey)
    if (!url) throw new PermanentDeliveryError('the channel is not configured')
    const secret = secretKey ? await decryptSetting(db, settingKey, secretKey) : ''
    return send({ url, secret }, message)
  }

/** How each channel sends one message; in-app messages are events. */
export const channelDrivers: Record<Exclude<DeliveryChannel, 'INAPP'>, Driver> = {
  SMS: async (deps, message) => ({
    msgId: await deliverTemplateSms(deps, {
      to: addressOf(message),
      template: 'sms.template-alarm',
      params: paramsOf(message),
    }),
  }),
  VOICE: async (deps, message) => ({ msgId: await deliverVoice(deps, addressOf(message), paramsOf(message)) }),
  EMAIL: async (deps, message) => {
    const { id, plannedAt, title, body } = message
    // With the time, because a second installation may send from the same domain.
    const key = `delivery-${id}.${plannedAt.getTime()}`
    await deliverMail(deps, { to: addressOf(message), subject: title, text: body, key })
    return {}
  },
  WECOM_ROBOT: robot('notify.wecom-url', null, sendToWecom),
  DINGTALK: robot('notify.dingtalk-url', 'notify.dingtalk-secret', sendToDingtalk),
  FEISHU: robot('notify.feishu-url', 'notify.feishu-secret', sendToFeishu),
  WEBHOOK: robot('notify.webhook-url', 'notify.webhook-secret', sendToWebhook),
}
