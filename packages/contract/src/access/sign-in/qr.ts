import { z } from 'zod'
import { Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { SignInResponse } from '../auth.ts'

export const QR_SEC = 120
/** CONFIRMED is never returned: the polling browser then gets its session and the ticket is USED. */
export const qrStates = ['WAITING', 'SCANNED', 'CONFIRMED', 'USED', 'EXPIRED'] as const

const ticket = field(z.string().regex(/^[\w-]{20,100}$/), '二维码', 'QR code')

export const QrTicket = z.strictObject({
  /** The content of the QR code. */
  ticket: z.string(),
  /** Stays in the browser that shows the QR code: nobody signs in without it. */
  verifier: z.string(),
  expiresTime: Millis,
})
export type QrTicket = z.output<typeof QrTicket>

export const QrQuery = z.strictObject({
  ticket,
  verifier: field(z.string().regex(/^[\w-]{20,100}$/), '校验码', 'Verifier'),
})
export type QrQuery = z.output<typeof QrQuery>

export const QrState = z.strictObject({ state: z.enum(qrStates), signedIn: SignInResponse.nullable() })
export type QrState = z.output<typeof QrState>

/** Where the browser is that wants to sign in. */
export const QrPlace = z.strictObject({ ip: z.string(), userAgent: z.string(), expiresTime: Millis })
export type QrPlace = z.output<typeof QrPlace>

const open = { kind: 'json', permission: 'open', scope: 'none' } as const
const own = { method: 'POST', kind: 'json', permission: 'token', scope: 'self' } as const
const ByTicket = z.strictObject({ ticket })

export const qrCalls = {
  ticket: endpoint({
    ...open,
    method: 'POST',
    path: '/system/auth/qr-ticket',
    summary: '获取登录二维码',
    summaryEn: 'A ticket for a QR code, good for two minutes',
    data: QrTicket,
  }),
  state: endpoint({
    ...open,
    method: 'GET',
    path: '/system/auth/qr-state',
    summary: '二维码状态',
    summaryEn: 'What became of the QR code; the session, once, when it was confirmed',
    query: QrQuery,
    data: QrState,
  }),
  scan: endpoint({
    ...own,
    path: '/system/auth/qr-scan',
    summary: '扫描登录二维码',
    summaryEn: 'A signed-in person read the QR code: where the new browser is',
    body: ByTicket,
    data: QrPlace,
  }),
  confirm: endpoint({
    ...own,
    path: '/system/auth/qr-confirm',
    summary: '确认扫码登录',
    summaryEn: 'Sign the other browser in as me; only whoever scanned it may',
    body: ByTicket,
    data: z.literal(true),
  }),
}
