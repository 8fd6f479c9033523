import { Id, Millis } from '@tocsin/contract/codecs'
import { z } from 'zod'
import { Bytes, table } from './table.ts'

const text = z.string()
const maybe = text.nullable()
const at = Millis

export const outboundChannels = ['SMS', 'EMAIL'] as const

export const signInTables = {
  verificationCode: table(
    z.strictObject({ keyHash: Bytes, codeHash: Bytes, tries: z.int(), expiresAt: at }),
    ['tries'],
    'open',
  ),
  lastLogin: table(z.strictObject({ userId: Id, at, ip: text }), [], 'open'),
  secondFactor: table(
    z.strictObject({ userId: Id, secret: Bytes, lastStep: z.int(), createdAt: at, confirmedAt: at.nullable() }),
    ['lastStep', 'createdAt'],
    'open',
  ),
  recoveryCode: table(z.strictObject({ userId: Id, hash: Bytes, usedAt: at.nullable() }), [], 'open'),
  qrTicket: table(
    z.strictObject({
      ticketHash: Bytes,
      verifierHash: Bytes,
      state: z.enum(['WAITING', 'SCANNED', 'CONFIRMED', 'USED']),
      userId: Id.nullable(),
      sessionId: Id.nullable(),
      ip: text,
      userAgent: text,
      expiresAt: at,
    }),
    ['state'],
    'open',
  ),
  socialState: table(
    z.strictObject({
      stateHash: Bytes,
      provider: text,
      browserHash: Bytes,
      userId: Id.nullable(),
      sealed: Bytes,
      expiresAt: at,
    }),
    [],
    'open',
  ),
  socialAccount: table(
    z.strictObject({ userId: Id, provider: text, subject: text, account: maybe, boundAt: at }),
    ['boundAt'],
    'open',
  ),
  outbound: table(
    z.strictObject({
      id: Id,
      channel: z.enum(outboundChannels),
      payload: Bytes.nullable(),
      state: z.enum(['PENDING', 'SENT', 'FAILED', 'DROPPED']),
      attempts: z.int(),
      dueAt: at,
      leaseUntil: at.nullable(),
      expiresAt: at,
      createdAt: at,
      endedAt: at.nullable(),
      lastError: maybe,
    }),
    ['id', 'state', 'attempts', 'dueAt', 'createdAt'],
    'open',
  ),
}
