import type { Db } from '#db/db'
import { secretOf } from '../config/secret.ts'
import { settingOf } from '../config/value.ts'
import { sendByAliyun } from './aliyun.ts'
import type { Sms } from './queue.ts'
import { sendByTencent } from './tencent.ts'
import { Undeliverable } from './undeliverable.ts'

export type Sending = { db: Db /** Opens secret settings. */; settingKey: Uint8Array; log: (text: string) => void }

type Send = (sending: Sending, sms: Sms) => Promise<void>

const templates = { CODE: 'sms.template', APPLICATION: 'sms.template-application' } as const

const keysOf = async ({ db, settingKey }: Sending, { template = 'CODE' }: Sms) => ({
  id: await settingOf(db, 'sms.access-key-id'),
  secret: await secretOf(db, settingKey, 'sms.access-key-secret'),
  endpoint: await settingOf(db, 'sms.endpoint'),
  signName: await settingOf(db, 'sms.sign-name'),
  template: await settingOf(db, templates[template]),
})

const drivers: Record<string, Send> = {
  aliyun: async (sending, sms) => sendByAliyun(await keysOf(sending, sms), sms.to, sms.code),
  tencent: async (sending, sms) => {
    const region = await settingOf(sending.db, 'sms.region')
    const appId = await settingOf(sending.db, 'sms.app-id')
    await sendByTencent({ ...(await keysOf(sending, sms)), region, appId }, sms.to, sms.code)
  },
  /** For development: whoever chose it reads the code in the log. */
  console: async ({ log }, { to, code }) => log(`text message to ${to}: code ${code}`),
}

/** Sends by the provider that the settings name. */
export const deliverSms = async (sending: Sending, sms: Sms): Promise<void> => {
  const driver = drivers[await settingOf(sending.db, 'sms.provider')]
  if (!driver) throw new Undeliverable('no provider of text messages is configured')
  await driver(sending, sms)
}
