import type { Db } from '#db/db'
import { decryptSetting } from '#settings/secret-setting'
import { getSetting } from '#settings/settings-cache'
import { sendByAliyun } from './aliyun.ts'
import type { Sms } from './queue.ts'
import { sendByTencent } from './tencent.ts'
import { PermanentDeliveryError, type SmsParams } from './provider-call.ts'

export type DeliveryDeps = { db: Db /** Opens secret settings. */; settingKey: Uint8Array; log: (text: string) => void }

type TemplateKey = 'sms.template' | 'sms.template-application' | 'sms.template-alarm'
/** A message by a template of the provider; free text the providers do not let through. */
export type TemplateSms = { to: string; template: TemplateKey; params: SmsParams }
type Send = (sending: DeliveryDeps, sms: TemplateSms) => Promise<string | undefined>

const templates = { CODE: 'sms.template', APPLICATION: 'sms.template-application' } as const

/** The account at the provider, for text messages and calls. */
export const providerKeys = async ({ db, settingKey }: DeliveryDeps) => ({
  id: await getSetting(db, 'sms.access-key-id'),
  secret: await decryptSetting(db, settingKey, 'sms.access-key-secret'),
})

const keysOf = async (sending: DeliveryDeps, { template }: TemplateSms) => ({
  ...(await providerKeys(sending)),
  endpoint: await getSetting(sending.db, 'sms.endpoint'),
  signName: await getSetting(sending.db, 'sms.sign-name'),
  template: await getSetting(sending.db, template),
})

const drivers: Record<string, Send> = {
  aliyun: async (sending, sms) => sendByAliyun(await keysOf(sending, sms), sms.to, sms.params),
  tencent: async (sending, sms) => {
    const region = await getSetting(sending.db, 'sms.region')
    const appId = await getSetting(sending.db, 'sms.app-id')
    return sendByTencent({ ...(await keysOf(sending, sms)), region, appId }, sms.to, sms.params)
  },
  /** For development: the message appears in the log. */
  console: async ({ log }, { to, params }) => {
    const text = Object.entries(params).map(([name, value]) => `${name} ${value}`)
    log(`text message to ${to}: ${text.join(', ')}`)
    return undefined
  },
}

/** Sends by the provider that the settings name. @returns the provider's id of the message, where it gives one. */
export const deliverTemplateSms = async (sending: DeliveryDeps, sms: TemplateSms): Promise<string | undefined> => {
  const driver = drivers[await getSetting(sending.db, 'sms.provider')]
  if (!driver) throw new PermanentDeliveryError('no provider of text messages is configured')
  return driver(sending, sms)
}

/** Sends a code by the provider that the settings name. */
export const deliverSms = async (sending: DeliveryDeps, { to, code, template = 'CODE' }: Sms): Promise<void> => {
  await deliverTemplateSms(sending, { to, template: templates[template], params: { code } })
}
