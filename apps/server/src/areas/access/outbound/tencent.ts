import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { callProvider, PermanentDeliveryError, type SmsParams } from './provider-call.ts'

export type TencentKeys = { id: string; secret: string }
/** A call to sign; header names in lower case, in the order in which they are signed. */
export type TencentCall = { service: string; headers: Readonly<Record<string, string>>; body: string; seconds: number }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The Authorization header of a POST to `/` by Tencent Cloud's signature version 3, TC3-HMAC-SHA256. */
export const tencentAuthorization = ({ service, headers, body, seconds }: TencentCall, keys: TencentKeys): string => {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}:${value.trim().toLowerCase()}\n`)
    .join('')
  const canonical = ['POST', '/', '', lines, names, sha256(body)].join('\n')
  const text = ['TC3-HMAC-SHA256', seconds, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(`TC3${keys.secret}`, day), service), 'tc3_request')
  const signature = hmac(key, text).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${keys.id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

type TencentApp = TencentKeys & { endpoint: string; region: string; appId: string; template: string }
export type TencentSms = TencentApp & { signName: string }
export type TencentVoice = TencentApp

const Status = z.object({ Code: z.string(), SerialNo: z.string().optional() })
const Answer = z.object({
  Response: z.object({
    Error: z.object({ Code: z.string() }).optional(),
    SendStatusSet: z.array(Status).optional(),
    SendStatus: z.object({ CallId: z.string().optional() }).optional(),
  }),
})
/** The provider limits the rate or fails; the same message may pass later. */
const passing = /^(RequestLimitExceeded|LimitExceeded|InternalError)/

const assertAccepted = (result: string): void => {
  if (result === 'Ok') return
  if (passing.test(result)) throw new Error(`Tencent Cloud answered ${result}`)
  throw new PermanentDeliveryError(`Tencent Cloud answered ${result}`)
}

type Action = { service: string; action: string; version: string; body: Record<string, unknown> }

const callTencent = async (app: TencentApp, { service, action, version, body: fields }: Action) => {
  const url = new URL(app.endpoint || `https://${service}.tencentcloudapi.com`)
  const body = JSON.stringify(fields)
  const seconds = Math.floor(Date.now() / 1000)
  const signed = { 'content-type': 'application/json; charset=utf-8', host: url.host, 'x-tc-action': action }
  const answer = await callProvider(`${url.origin}/`, {
    method: 'POST',
    body,
    headers: {
      'content-type': signed['content-type'],
      'x-tc-action': action,
      'x-tc-version': version,
      'x-tc-region': app.region,
      'x-tc-timestamp': String(seconds),
      authorization: tencentAuthorization({ service, headers: signed, body, seconds }, app),
    },
  })
  const { Response: given } = Answer.parse(answer)
  if (given.Error) assertAccepted(given.Error.Code)
  return given
}

/** One text message by the SMS service 2021-01-11, SendSms. @returns the provider's id of it. */
export const sendByTencent = async (sms: TencentSms, to: string, params: SmsParams): Promise<string | undefined> => {
  const body = {
    PhoneNumberSet: [`+86${to}`],
    SmsSdkAppId: sms.appId,
    SignName: sms.signName,
    TemplateId: sms.template,
    TemplateParamSet: Object.values(params),
  }
  const { SendStatusSet: sent } = await callTencent(sms, {
    service: 'sms',
    action: 'SendSms',
    version: '2021-01-11',
    body,
  })
  assertAccepted(sent?.[0]?.Code ?? 'no status')
  return sent?.[0]?.SerialNo
}

/** One call by the voice service 2020-09-02, SendTtsVoice. @returns the provider's id of it. */
export const callByTencent = async (
  voice: TencentVoice,
  to: string,
  params: SmsParams,
): Promise<string | undefined> => {
  const body = {
    TemplateId: voice.template,
    CalledNumber: `+86${to}`,
    VoiceSdkAppid: voice.appId,
    TemplateParamSet: Object.values(params),
  }
  const { SendStatus: status } = await callTencent(voice, {
    service: 'vms',
    action: 'SendTtsVoice',
    version: '2020-09-02',
    body,
  })
  if (!status) throw new PermanentDeliveryError('Tencent Cloud answered no status')
  return status.CallId
}
