import { callProvider, PermanentDeliveryError } from '#areas/access/outbound/provider-call'
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type OutgoingMessage, type ProviderReceipt, toText } from './message.ts'

/** Address and secret of a group robot; without a secret the calls are not signed. */
export type RobotAccount = { url: string; secret: string }

const hmacBase64 = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64')

const post = (url: string, body: unknown) =>
  callProvider(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  })

/** Throws by the code of the answer: some codes say "too fast" and pass later. */
const assertAccepted = (name: string, code: number, passing: readonly number[]): ProviderReceipt => {
  if (code === 0) return { answer: `${name} 0` }
  if (passing.includes(code)) throw new Error(`${name} answered ${code}`)
  throw new PermanentDeliveryError(`${name} answered ${code}`)
}

const ErrorCode = z.object({ errcode: z.number() })

/** The text message of a WeCom group robot. */
export const sendToWecom = async ({ url }: RobotAccount, message: OutgoingMessage): Promise<ProviderReceipt> => {
  const answer = await post(url, { msgtype: 'text', text: { content: toText(message) } })
  // -1: busy; 45009: too many calls.
  return assertAccepted('WeCom', ErrorCode.parse(answer).errcode, [-1, 45009, 45033])
}

/** The text message of a DingTalk robot. Its signature is the secret's HMAC of time and secret. */
export const sendToDingtalk = async (
  { url, secret }: RobotAccount,
  message: OutgoingMessage,
): Promise<ProviderReceipt> => {
  const signed = new URL(url)
  if (secret) {
    const timestamp = String(Date.now())
    signed.searchParams.set('timestamp', timestamp)
    signed.searchParams.set('sign', hmacBase64(secret, `${timestamp}\n${secret}`))
  }
  const answer = await post(signed.href, { msgtype: 'text', text: { content: toText(message) } })
  // -1: busy; 130101 and 660026: too many calls.
  return assertAccepted('DingTalk', ErrorCode.parse(answer).errcode, [-1, 130101, 660026])
}

const FeishuAnswer = z.object({ code: z.number().optional(), StatusCode: z.number().optional() })

/** The text message of a Feishu robot. Here time and secret are the key, and the signed text is empty. */
export const sendToFeishu = async (
  { url, secret }: RobotAccount,
  message: OutgoingMessage,
): Promise<ProviderReceipt> => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = secret ? { timestamp, sign: hmacBase64(`${timestamp}\n${secret}`, '') } : {}
  const answer = FeishuAnswer.parse(
    await post(url, { ...signature, msg_type: 'text', content: { text: toText(message) } }),
  )
  // 9499 and 11232: too many calls.
  return assertAccepted('Feishu', answer.code ?? answer.StatusCode ?? 1, [9499, 11232])
}
