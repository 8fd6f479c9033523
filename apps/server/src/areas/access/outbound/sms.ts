import type { Db } from '#db/db'
import { decryptSetting } from '#settings/secret-setting'
import { getSetting } from '#settings/settings-cache'
import { sendByAliyun } from './aliyun.ts'
import type { Sms } from './queue.ts'
import { sendByTencent } from './tencent.ts'
import { PermanentDeliveryError } from './provider-call.ts'

export type DeliveryDeps = { db: Db /** Opens secret settings. */; settingKey: Uint8Array; log: (text: string) => void }

type Send = (sending: DeliveryDeps, sms: Sms) => Promise<void>

const templates = { CODE: 'sms.template', APPLICATION: 'sms.template-application' } as const

const keysOf = async ({ db, settingKey }: DeliveryDeps, { template = 'CODE' }: Sms) => ({
  id: await getSetting(db, 'sms.access-key-id'),
  secret: await decryptSetting(db, settingKey, 'sms.access-key-secret'),
  endpoint: await getSetting(db, 'sms.endpoint'),
  signName: await getSetting(db, 'sms.sign-name'),
  template: await getSetting(db, templates[template]),
})

const drivers: Record<string, Send> = {
  aliyun: async (sending, sms) => sendByAliyun(await keysOf(sending, sms), sms.to, sms.code),
  tencent: async (sending, sms) => {
    const region = await getSetting(sending.db, 'sms.region')
    const appId = await getSetting(sending.db, 'sms.app-id')
    await sendByTencent({ ...(await keysOf(sending, sms)), region, appId }, sms.to, sms.code)
  },
  /** For development: whoever chose it reads the code in the log. */
  console: async ({ log }, { to, code }) => log(`text message to ${to}: code ${code}`),
}

/** Sends by the provider that the settings name. */
export const deliverSms = async (sending: DeliveryDeps, sms: Sms): Promise<void> => {
  const driver = drivers[await getSetting(sending.db, 'sms.provider')]
  if (!driver) throw new PermanentDeliveryError('no provider of text messages is configured')
  await driver(sending, sms)
}
