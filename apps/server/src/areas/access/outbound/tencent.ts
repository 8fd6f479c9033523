import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { callProvider, PermanentDeliveryError } from './provider-call.ts'

export type TencentKeys = { id: string; secret: string }
/** A call as it is signed; header names lower case, in the order in which they are signed. */
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

export type TencentSms = TencentKeys & {
  endpoint: string
  region: string
  appId: string
  signName: string
  template: string
}

const Answer = z.object({
  Response: z.object({
    Error: z.object({ Code: z.string() }).optional(),
    SendStatusSet: z.array(z.object({ Code: z.string() })).optional(),
  }),
})
/** Too fast for the provider, or its own trouble; the same message may pass later. */
const passing = /^(RequestLimitExceeded|LimitExceeded|InternalError)/

/** One code by the SMS service 2021-01-11, SendSms. */
export const sendByTencent = async (sms: TencentSms, to: string, code: string): Promise<void> => {
  const url = new URL(sms.endpoint || 'https://sms.tencentcloudapi.com')
  const body = JSON.stringify({
    PhoneNumberSet: [`+86${to}`],
    SmsSdkAppId: sms.appId,
    SignName: sms.signName,
    TemplateId: sms.template,
    TemplateParamSet: [code],
  })
  const seconds = Math.floor(Date.now() / 1000)
  const signed = { 'content-type': 'application/json; charset=utf-8', host: url.host, 'x-tc-action': 'SendSms' }
  const answer = await callProvider(`${url.origin}/`, {
    method: 'POST',
    body,
    headers: {
      'content-type': signed['content-type'],
      'x-tc-action': 'SendSms',
      'x-tc-version': '2021-01-11',
      'x-tc-region': sms.region,
      'x-tc-timestamp': String(seconds),
      authorization: tencentAuthorization({ service: 'sms', headers: signed, body, seconds }, sms),
    },
  })
  const { Error: failure, SendStatusSet: sent } = Answer.parse(answer).Response
  const result = failure?.Code ?? sent?.[0]?.Code ?? 'no status'
  if (result === 'Ok') return
  if (passing.test(result)) throw new Error(`Tencent Cloud answered ${result}`)
  throw new PermanentDeliveryError(`Tencent Cloud answered ${result}`)
}
