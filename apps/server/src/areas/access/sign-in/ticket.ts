import { codes } from '@tocsin/contract/codes'
import { type LoginMethod, loginMethods } from '@tocsin/contract/audit/login-log'
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'
import { BusinessError } from '#http/business-error'

const LIFE_MS = 300_000

const Content = z.strictObject({
  userId: z.int(),
  method: z.enum(loginMethods),
  /** A password change invalidates the ticket. */
  mark: z.string(),
  expires: z.int(),
  nonce: z.string(),
})

/** What the first step of signing in proved; the second step sends it back. */
export type FirstFactor = { userId: number; method: LoginMethod; passwordHash: string | null }

export const passwordFingerprint = (passwordHash: string | null): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 22)

/** The encrypted proof. The server stores nothing until the ticket is used. */
export const encryptTicket = (key: Uint8Array, { userId, method, passwordHash }: FirstFactor, now: Date): string => {
  const content = {
    userId,
    method,
    mark: passwordFingerprint(passwordHash),
    expires: now.getTime() + LIFE_MS,
    nonce: randomUUID(),
  }
  return encrypt(key, Buffer.from(JSON.stringify(content))).toString('base64url')
}

export type Ticket = z.output<typeof Content> & { hash: Buffer }

/** Undefined for what this key did not seal. Its validity is checked at use. */
export const decryptTicket = (key: Uint8Array, ticket: string): Ticket | undefined => {
  const bytes = Buffer.from(ticket, 'base64url')
  const content = decrypt(key, bytes)
  if (!content) return undefined
  // Encodings of the same bytes are the same ticket.
  return { ...Content.parse(JSON.parse(content.toString())), hash: createHash('sha256').update(bytes).digest() }
}

/** The database's clock decides; a used ticket is rejected. */
export const consumeTicket = async (trx: Db, { hash, expires }: Ticket): Promise<void> => {
  const used = await trx
    .insertInto('captchaUse')
    .values({ keyHash: hash, expiresAt: new Date(expires) })
    .onConflict((conflict) => conflict.column('keyHash').doNothing())
    .returning(sql<boolean>`expires_at > now()`.as('inTime'))
    .executeTakeFirst()
  if (!used?.inTime) throw new BusinessError(codes.ticketGone)
}
