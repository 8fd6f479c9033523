import { callByAliyun } from '#areas/access/outbound/aliyun'
import { PermanentDeliveryError, type SmsParams } from '#areas/access/outbound/provider-call'
import { type DeliveryDeps, providerKeys } from '#areas/access/outbound/sms'
import { callByTencent } from '#areas/access/outbound/tencent'
import { getSetting } from '#settings/settings-cache'

type Call = (sending: DeliveryDeps, to: string, params: SmsParams) => Promise<string | undefined>

const accountOf = async (sending: DeliveryDeps) => ({
  ...(await providerKeys(sending)),
  endpoint: await getSetting(sending.db, 'voice.endpoint'),
  template: await getSetting(sending.db, 'voice.template'),
})

const drivers: Record<string, Call> = {
  aliyun: async (sending, to, params) => {
    const showNumber = await getSetting(sending.db, 'voice.show-number')
    return callByAliyun({ ...(await accountOf(sending)), showNumber }, to, params)
  },
  tencent: async (sending, to, params) => {
    const region = await getSetting(sending.db, 'sms.region')
    const appId = await getSetting(sending.db, 'voice.app-id')
    return callByTencent({ ...(await accountOf(sending)), region, appId }, to, params)
  },
  /** For development: the text appears in the log. */
  console: async ({ log }, to, params) => {
    log(`call to ${to}: ${Object.values(params).join(', ')}`)
    return undefined
  },
}

/** Calls and reads a text by the provider that the settings name. @returns the provider's id of the call. */
export const deliverVoice = async (
  sending: DeliveryDeps,
  to: string,
  params: SmsParams,
): Promise<string | undefined> => {
  const driver = drivers[await getSetting(sending.db, 'voice.provider')]
  if (!driver) throw new PermanentDeliveryError('no provider of voice calls is configured')
  return driver(sending, to, params)
}
